/** What the embedded service uses of libsql, over the SQLite that Node has: nothing native is to be unpacked anywhere. */
const { DatabaseSync } = require('node:sqlite');

/** The codes that the service knows faults of a disk by, by SQLite's numbers. */
const codes = {
  5: 'SQLITE_BUSY',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  26: 'SQLITE_NOTADB',
};

/** What `work` gives; an error of it has its code as libsql has it. */
function coded(work) {
  try {
    return work();
  } catch (error) {
    // The lower byte; the others say where it was.
    error.code = codes[error.errcode & 0xff] ?? error.code;
    throw error;
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
        all: (values = []) => coded(() => statement.all(...values)),
        run: (values = []) => coded(() => statement.run(...values)),
      };
    },
    close: () => db.close(),
  };
};
