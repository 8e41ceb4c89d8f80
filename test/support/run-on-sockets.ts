/** The program in this process over real sockets, with a clock that does not wait. */
import { openSend } from '../../src/transport/send.ts';
import { clockUntil } from './clocks.ts';
import { dtp, type Ended } from './context.ts';
import { KEY } from './faulty-run.ts';
import type { Faulty } from './faulty-server.ts';

/** Runs a command line against a faulty server. */
export const runQuick = (argv: readonly string[], home: string, { address, quiet }: Faulty): Promise<Ended> =>
  dtp(argv, {
    home,
    env: { DTP_BASE_URL: address, DTP_API_KEY: KEY, DTP_ERROR_FORMAT: 'json' },
    clock: clockUntil(quiet),
    openSend: async (options) => openSend(options),
  });
