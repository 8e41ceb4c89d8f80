/** Web pages in place of an answer: a login page, a captive portal or a proxy says 200 to anything. */

/** Characters by which a page is recognized. */
const enough = 96;

/** Bytes that are held to see whether a page begins: white space may go on without end. */
const mostHeld = 64 * 1024;

/**
 * What a page begins with, after a byte order mark and white space: the tags of WHATWG MIME Sniffing §7.1, some that
 * portals send, and XHTML's first line.
 */
const opening =
  /^(<!--|<\?xml\b[^<]*<(!doctype html|html)\b|<(!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|meta|link|center)[\s/>])/i;

/** Whether a content type is that of a page. */
export const isPageType = (type = ''): boolean => /^\s*(text\/html|application\/xhtml\+xml)\b/i.test(type);

/**
 * The same bytes, if they are no page. Throws `refusal` before the first byte of one; with `isNamed`, the headers say that
 * it is a page, and any text is one.
 */
export async function* withoutPage(
  body: AsyncIterable<Uint8Array>,
  isNamed: boolean,
  refusal: () => Error,
): AsyncGenerator<Uint8Array> {
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
    // No page begins with anything but a tag, and a row is shown as soon as it is there.
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

/** The head of a text with one more piece of it; what is white space is left out at its beginning. */
function startOf(head: string, piece: Uint8Array): string {
  if (head !== '') return head + latin1(piece.subarray(0, enough));
  let from = 0;
  while (isBlank(piece[from])) from++;
  return latin1(piece.subarray(from, from + 4 * enough));
}

/** White space, or a byte of a byte order mark in UTF-8. */
const isBlank = (byte: number | undefined): boolean =>
  byte !== undefined && (byte <= 0x20 || byte === 0xef || byte === 0xbb || byte === 0xbf);

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
