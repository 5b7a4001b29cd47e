// SPDX-License-Identifier: Apache-2.0
package io.daybook.namespace.zk.session;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.zookeeper.common.PathUtils;

/**
 * Where a namespace is: {@code zk://host:port,host:port/path}.
 *
 * @param servers as ZooKeeper wants them: {@code host:port,host:port}
 * @param root the path below which everything is, such as {@code /daybook}
 */
public record ZkAddress(String servers, String root) {
    public static final String SCHEME = "zk";

    private static final String RIGHT_FORM = ": use zk://host:port,host:port/path, such as zk://127.0.0.1:2181/daybook";
    private static final Pattern SERVER = Pattern.compile("([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+])(:([0-9]{1,5}))?");
    private static final int PORT_DEFAULT = 2181;
    private static final int PORT_MAX = 65_535;

    /** Reads a URI; throws {@link IllegalArgumentException} with one line that shows the right form. */
    public static ZkAddress parse(URI uri) {
        require(SCHEME.equals(uri.getScheme()), uri, "is not the URI of a namespace in ZooKeeper");
        String authority = uri.getRawAuthority() == null ? "" : uri.getRawAuthority();
        require(!authority.isEmpty(), uri, "names no server");
        require(uri.getRawQuery() == null && uri.getRawFragment() == null, uri, "has something after its path");
        List<String> servers = new ArrayList<>();
        for (String server : authority.split(",", -1)) {
            servers.add(server(uri, server));
        }
        String path = uri.getPath() == null ? "" : uri.getPath();
        require(path.length() > 1 && !path.startsWith("/zookeeper"), uri, "names no path of its own");
        try {
            PathUtils.validatePath(path);
        } catch (IllegalArgumentException invalid) {
            throw new IllegalArgumentException("'" + uri + "' has a path that ZooKeeper refuses" + RIGHT_FORM, invalid);
        }
        return new ZkAddress(String.join(",", servers), path);
    }

    private static String server(URI uri, String text) {
        var matcher = SERVER.matcher(text);
        require(matcher.matches(), uri, "names a server that is no host:port");
        int port = matcher.group(3) == null ? PORT_DEFAULT : Integer.parseInt(matcher.group(3));
        require(port >= 1 && port <= PORT_MAX, uri, "names an impossible port");
        return matcher.group(1) + ':' + port;
    }

    private static void require(boolean condition, URI uri, String wrong) {
        if (!condition) {
            throw new IllegalArgumentException("'" + uri + "' " + wrong + RIGHT_FORM);
        }
    }

    @Override
    public String toString() {
        return SCHEME + "://" + servers + root;
    }
}
