/** The upload of a push to unreliable registries: it arrives completely or fails. */
import { expect, test } from 'vitest';
import { DtpError } from '../../src/errors.ts';
import { type Blob, chunkSize, manifestOf, push } from '../../src/flows/push.ts';
import type { Registry } from '../../src/flows/registry.ts';
import { readAll } from '../../src/request/http.ts';
import { sha } from '../support/artifacts.ts';

const content = Buffer.alloc(3 * chunkSize - 5, 'abcdefg');
const bundle: Blob = {
  digest: sha(content),
  size: content.byteLength,
  open: async function* (from, size) {
    yield content.subarray(from, from + size);
  },
};
const manifest = manifestOf(bundle, {});

const cut = () => new DtpError('network', 'the host closed the connection', { retryable: true });
const status = (code: number, path = '/v1/oci/v2/o/w/n/blobs/uploads/1') =>
  new DtpError(code === 404 ? 'not_found' : 'rejected', `${code}`, { status: code, path });

/**
 * A registry that records its calls. `fate` runs before each call, and `after` when the work is done, so that only the
 * response is lost.
 */
function registryWith(fate: (what: string, count: number) => void, after: typeof fate = () => undefined) {
  const asked: string[] = [];
  const blobs = new Map<string, Buffer>();
  const tags = new Map<string, string>();
  const uploads: Buffer[] = [];
  const step = async <T>(what: string, work: () => T | Promise<T>): Promise<T> => {
    const count = asked.push(what);
    fate(what, count);
    const result = await work();
    after(what, count);
    return result;
  };
  const at = (location: string) => Number(location.split('/').at(-1));
  const sizeOf = (location: string) => ({ location, size: uploads[at(location)]?.byteLength ?? 0 });
  const registry: Registry = {
    manifest: () => Promise.reject(new Error('unexpected call')),
    blob: () => {
      throw new Error('unexpected call');
    },
    hasBlob: (digest) => step('has', () => blobs.has(digest)),
    startUpload: () => step('start', () => `/uploads/${uploads.push(Buffer.alloc(0)) - 1}`),
    sendChunk: (location, { from, open }) =>
      step(`chunk ${from}`, async () => {
        if (from !== sizeOf(location).size) throw status(416);
        const bytes = await readAll(open(), 1e9);
        uploads[at(location)] = Buffer.concat([uploads[at(location)] as Buffer, bytes as Uint8Array]);
        return sizeOf(location);
      }),
    progressOf: (location) => step('progress', () => sizeOf(location)),
    endUpload: (location, digest) =>
      step('end', () => {
        expect(sha(uploads[at(location)] as Buffer)).toBe(digest);
        blobs.set(digest, uploads[at(location)] as Buffer);
      }),
    putManifest: (reference, bytes) => step(`put ${reference}`, () => void tags.set(reference, sha(bytes))),
  };
  return { registry, asked, blobs, tags, uploads };
}

async function pushed(registry: Registry): Promise<{ sent?: number; waits: number; error?: unknown }> {
  let waits = 0;
  const wait = async () => {
    waits++;
    // A limit that is never reached unless it loops forever.
    if (waits > 100) throw new Error('it loops forever');
  };
  try {
    return {
      sent: await push(registry, { bundle, manifest, tags: ['v1', 'v2'] }, { wait, tell: () => undefined }),
      waits,
    };
  } catch (error) {
    return { waits, error };
  }
}

const whole = (world: ReturnType<typeof registryWith>) => {
  expect(world.blobs.get(bundle.digest)?.equals(content)).toBe(true);
  expect([...world.tags]).toEqual([manifest.digest, 'v1', 'v2'].map((name) => [name, manifest.digest]));
};

test('without failures, nothing is requested twice', async () => {
  const world = registryWith(() => undefined);
  expect(await pushed(world.registry)).toEqual({ sent: content.byteLength + 2, waits: 0 });
  expect(world.asked).toEqual([
    ...['has', 'start', 'chunk 0', `chunk ${chunkSize}`, `chunk ${2 * chunkSize}`, 'end'],
    ...['has', 'start', 'chunk 0', 'end', `put ${manifest.digest}`, 'put v1', 'put v2'],
  ]);
  whole(world);
});

test('each request and each response may be lost', async () => {
  for (let place = 1; place <= 13; place++)
    for (const times of [1, 3]) {
      let left = times;
      const lose = (_: string, count: number) => {
        if (count >= place && left-- > 0) throw cut();
      };
      for (const world of [registryWith(lose), registryWith(() => undefined, lose)]) {
        left = times;
        const { error, waits } = await pushed(world.registry);
        expect([place, error, waits]).toEqual([place, undefined, times]);
        whole(world);
      }
    }
});

test('an upload that no longer exists is restarted', async () => {
  let gone = false;
  const world = registryWith((what) => {
    if (gone && what === 'progress') throw status(404);
    if (!gone && what === `chunk ${chunkSize}`) {
      gone = true;
      throw status(404);
    }
  });
  expect((await pushed(world.registry)).error).toBeUndefined();
  expect(world.uploads.length).toBe(3);
  whole(world);
});

test('a byte that the registry does not report causes no endless loop', async () => {
  const world = registryWith(() => undefined);
  let cuts = 1;
  const { registry } = world;
  const shy: Registry = {
    ...registry,
    sendChunk: async (location, chunk) => {
      if (cuts-- > 0) {
        world.uploads[0] = content.subarray(0, 1);
        throw cut();
      }
      return registry.sendChunk(location, chunk);
    },
    progressOf: async (location) => {
      const { size } = await registry.progressOf(location);
      return { location, size: size === 1 ? 0 : size };
    },
  };
  expect((await pushed(shy)).error).toBeUndefined();
  whole(world);
});

test.each<[string, (what: string) => void, RegExp]>([
  [
    'that is never reachable',
    () => {
      throw cut();
    },
    /closed the connection/,
  ],
  [
    'that fails at the second chunk',
    (what) => {
      if (what === `chunk ${chunkSize}`) throw status(416);
    },
    /416/,
  ],
  [
    'that forgets at the second chunk',
    (what) => {
      if (/progress|chunk [1-9]/.test(what)) throw status(404);
    },
    /404/,
  ],
  [
    'that drops each final response',
    (what) => {
      if (what === 'end') throw cut();
    },
    /closed/,
  ],
  [
    'that drops each manifest',
    (what) => {
      if (what.startsWith('put')) throw cut();
    },
    /closed/,
  ],
])('a registry %s makes it fail', async (_, fate, why) => {
  const world = registryWith(fate);
  const { error, waits } = await pushed(world.registry);
  expect((error as Error).message).toMatch(why);
  expect(waits).toBeLessThan(20);
});

test('a registry that accepts nothing, or reports too many bytes, makes it fail', async () => {
  for (const [size, why] of [
    [0, 'accepts no more data'],
    [1e9, 'for an upload of'],
  ] as const) {
    const { registry } = registryWith(() => undefined);
    const odd = { ...registry, sendChunk: async (location: string) => ({ location, size }) };
    const { error } = await pushed(odd);
    expect(error).toMatchObject({ code: 'bad_response', message: expect.stringContaining(why) });
  }
});

test('a rejection is reported at once', async () => {
  for (const code of [400, 403, 413, 429]) {
    const world = registryWith((what) => {
      if (what.startsWith('chunk')) throw status(code);
    });
    const { error, waits } = await pushed(world.registry);
    expect([(error as Error).message, waits]).toEqual([String(code), 0]);
  }
});
