/** What the embedded service uses of libsql, over the SQLite that Node has: nothing native is to be unpacked anywhere. */
const { DatabaseSync } = require('node:sqlite');

module.exports = function Database(file) {
  const db = new DatabaseSync(file);
  return {
    exec: (sql) => db.exec(sql),
    prepare: (sql) => {
      const statement = db.prepare(sql);
      return {
        get: (values = []) => statement.get(...values),
        all: (values = []) => statement.all(...values),
        run: (values = []) => statement.run(...values),
      };
    },
    close: () => db.close(),
  };
};
