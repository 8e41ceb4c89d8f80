/**
 * Makes a Node smaller: without its symbols, and without the words of the languages that the tool does not use, as in
 * Node's own build option `small-icu`.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/**
 * The path of a smaller copy of the Node `program` for `platform`, which is made if it does not exist yet. Throws with
 * code ENOENT if llvm-strip is missing.
 */
export function slimNode(program, platform) {
  const slim = program.replace(/(\.exe)?$/, '-slim$1');
  if (existsSync(slim)) return slim;
  const bytes = readFileSync(program);
  trimLanguages(bytes);
  const part = `${slim}.${process.pid}`;
  writeFileSync(part, bytes, { mode: 0o755 });
  // A Mac's program exports symbols that Node itself looks up. On Windows, the symbols are in another file.
  const kind = platform.startsWith('darwin') ? '--discard-all' : '--strip-all';
  if (!platform.startsWith('win')) execFileSync('llvm-strip', [kind, part], { stdio: ['ignore', 'ignore', 'inherit'] });
  renameSync(part, slim);
  return slim;
}

/** What a table of ICU's data starts with: the size of its header, and its kind. */
const TABLE = Buffer.from('CmnD');
const [KIND_AT, COUNT] = [12, 4];

/** Tables of languages by their path. Those of the root and of English are used for every language. */
const isForeign = (path) =>
  /^(?:(?:zone|unit|lang|curr|coll|region|rbnf|brkitr)\/)?(?!root|en(?:_US)?\.|res_index|pool)[a-z]{2,3}(?:_\w+)?\.res$/.test(
    path,
  ) || /^translit\/|\.dict$|\.cnv$/.test(path);

/**
 * Removes the foreign tables from ICU's data in the program `bytes`, in place. Its list of tables gets shorter, and zeros
 * replace what they contained. Throws if the program has no such data.
 */
function trimLanguages(bytes) {
  for (let at = bytes.indexOf(TABLE); at !== -1; at = bytes.indexOf(TABLE, at + 1)) {
    const start = at - KIND_AT;
    // The magic number of ICU's files.
    if (bytes.readUInt16BE(start + 2) !== 0xda27) continue;
    const list = start + bytes.readUInt16LE(start);
    const count = bytes.readUInt32LE(list);
    const entries = Array.from({ length: count }, (_, index) => {
      const [name, data] = [0, 4].map((part) => bytes.readUInt32LE(list + COUNT + 8 * index + part));
      const end = bytes.indexOf(0, list + name);
      return { name, data, path: bytes.toString('latin1', list + name, end).replace(/^[^/]*\//, '') };
    });
    entries.forEach(({ data, path }, index) => {
      // The end of the last table is not known, so it stays.
      const next = entries[index + 1]?.data;
      if (next !== undefined && isForeign(path)) bytes.fill(0, list + data, list + next);
    });
    const left = entries.filter(({ path }, index) => index === count - 1 || !isForeign(path));
    bytes.writeUInt32LE(left.length, list);
    bytes.fill(0, list + COUNT + 8 * left.length, list + COUNT + 8 * count);
    left.forEach(({ name, data }, index) => {
      bytes.writeUInt32LE(name, list + COUNT + 8 * index);
      bytes.writeUInt32LE(data, list + COUNT + 8 * index + 4);
    });
    return;
  }
  throw new Error('Node has no data of ICU');
}
