// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli;

import picocli.CommandLine.IVersionProvider;

/** What {@code --version} prints: the version of the archive this runs from. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String version = RootCommand.class.getPackage().getImplementationVersion();
        return new String[] {
            "daybook " + (version == null ? "(unpacked build)" : version),
            "Java " + Runtime.version() + " on " + System.getProperty("os.name") + " " + System.getProperty("os.arch")
        };
    }
}
