/**
 * libsql, with a quick search for its native package. libsql's own search loads child_process and writes a report of the
 * process, which takes longer than everything else that a command does with the embedded service.
 */
try {
  module.exports = require('libsql/index.js');
} catch {
  // The quick search failed, for example because only libsql can see its native package. libsql finds it more slowly.
  module.exports = require('libsql');
}
