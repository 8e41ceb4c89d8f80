/** Detects web pages in place of responses. Login pages, captive portals and proxies send them with status 200. */

/** The number of characters that are enough to recognize a page. */
const enough = 96;

/** The maximum number of bytes to buffer while searching for the start, because the white space may be endless. */
const mostHeld = 64 * 1024;

/** Matches the start of a page after its white space: a tag of WHATWG MIME Sniffing §7.1 or of portals, or XHTML. */
const opening =
  /^(<!--|<\?xml\b[^<]*<(!doctype html|html)\b|<(!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|meta|link|center)[\s/>])/i;

export const isPageType = (type = ''): boolean => /^\s*(text\/html|application\/xhtml\+xml)\b/i.test(type);

/** Passes on a body. Throws `refusal` before the first byte of a web page. `isNamed`: its type says that it is one. */
export async function* withoutPage(body: AsyncIterable<Uint8Array>, isNamed: boolean, refusal: () => Error) {
  let held: Uint8Array[] | undefined = [];
  let head = '';
  let size = 0;
  for await (const piece of body) {
    if (!held) {
      yield piece;
      continue;
    }
    held.push(piece);
    size += piece.byteLength;
    head = startOf(head, piece);
    // A page always begins with a tag. Pass on other content at once, so that rows appear as they arrive.
    const mayBe = head === '' || (head.startsWith('<') && !isNamed);
    if (mayBe && head.length < enough && size < mostHeld) continue;
    if (isNamed || opening.test(head)) throw refusal();
    yield* held;
    held = undefined;
  }
  if (!held) return;
  if (opening.test(`${head} `)) throw refusal();
  yield* held;
}

/** Appends a chunk to the head, without leading white space. */
function startOf(head: string, piece: Uint8Array): string {
  if (head !== '') return head + latin1(piece.subarray(0, enough));
  let from = 0;
  while (isBlank(piece[from])) from++;
  return latin1(piece.subarray(from, from + 4 * enough));
}

/** Whether a byte is white space or part of a UTF-8 byte order mark. */
const isBlank = (byte: number | undefined): boolean =>
  byte !== undefined && (byte <= 0x20 || byte === 0xef || byte === 0xbb || byte === 0xbf);

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
