// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.terminal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Many things of one kind, written while they are found: a line of JSON each for programs; for people a table in pieces of which each is laid out for
 * itself, so that it never takes more memory than a piece. Complete after {@link #end}.
 */
public final class Rows {
    private static final int PIECE_ROWS = 1_000;

    private final Output output;
    private final TextTable.Columns columns;
    private final List<Fields> piece = new ArrayList<>();

    Rows(Output output, List<String> names) {
        this.output = output;
        this.columns = new TextTable.Columns(names);
    }

    /** Adds a thing. */
    public void add(Fields row) throws IOException {
        if (output.form() == OutputForm.json) {
            output.result("", row);
            return;
        }
        piece.add(row);
        if (piece.size() == PIECE_ROWS) {
            writePiece();
        }
    }

    /** Nothing follows; gives everything to the operating system. */
    public void end() throws IOException {
        if (!piece.isEmpty()) {
            writePiece();
        }
        output.flush();
    }

    private void writePiece() throws IOException {
        output.result(columns.lay(piece), new Fields());
        piece.clear();
    }
}
