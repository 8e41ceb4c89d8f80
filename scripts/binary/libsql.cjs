/** The part of libsql that the embedded service uses, on Node's SQLite: the executable needs no native file. */
const { DatabaseSync } = require('node:sqlite');

/** The codes by which the service recognizes disk faults, by SQLite's numbers. */
const codes = {
  5: 'SQLITE_BUSY',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  26: 'SQLITE_NOTADB',
};

/** Returns the error, with the same code as in libsql. */
function withCode(error) {
  // The lower byte is the error, the other bytes are details.
  error.code = codes[error.errcode & 0xff] ?? error.code;
  return error;
}

function coded(work) {
  try {
    return work();
  } catch (error) {
    throw withCode(error);
  }
}

module.exports = function Database(file) {
  const db = coded(() => new DatabaseSync(file));
  return {
    exec: (sql) => coded(() => db.exec(sql)),
    prepare: (sql) => {
      const statement = coded(() => db.prepare(sql));
      return {
        get: (values = []) => coded(() => statement.get(...values)),
        *iterate(values = []) {
          try {
            yield* statement.iterate(...values);
          } catch (error) {
            throw withCode(error);
          }
        },
        run: (values = []) => coded(() => statement.run(...values)),
      };
    },
    close: () => db.close(),
  };
};
