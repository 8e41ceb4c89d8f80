/** Replaces two packages with which libsql finds the name of its native package. */
const { readFileSync } = require('node:fs');

/** Throws if the C library is unknown. */
function library() {
  const ldd = readFileSync('/usr/bin/ldd', 'latin1');
  if (ldd.includes('musl')) return 'musl';
  if (ldd.includes('GNU C Library')) return 'gnu';
  throw new Error('the C library is unknown');
}

/** Replaces @neon-rs/load. */
exports.currentTarget = () => {
  const { platform, arch } = process;
  const more = { linux: () => `-${library()}`, win32: () => '-msvc' }[platform];
  return `${platform}-${arch}${more?.() ?? ''}`;
};

/** Replaces detect-libc. libsql only uses the answer to correct the other package, which is not necessary here. */
exports.familySync = () => undefined;
