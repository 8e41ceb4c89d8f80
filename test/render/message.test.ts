/** Errors as shown on stderr. */
import { describe, expect, it } from 'vitest';
import { DtpError } from '../../src/errors.ts';
import { messageJson, messageText } from '../../src/render/message.ts';

const plain = { color: false, debug: false };

const missing = new DtpError('not_found', '404 from GET /v1/workspace/w_1: not found', {
  status: 404,
  operation: 'getWorkspace',
  method: 'GET',
  path: '/v1/workspace/w_1',
  request_id: 'r_1',
  retryable: false,
  attempts: 1,
  hint: 'List what exists.',
  next: ['dtp ws list', 'dtp ws current'],
  details: { message: 'not found' },
});

describe('text', () => {
  it('says what failed and what to do next', () => {
    expect(messageText(missing, plain)).toBe(
      [
        'error: 404 from GET /v1/workspace/w_1: not found',
        '  (request r_1)',
        '  List what exists.',
        '  try: dtp ws list',
        '  try: dtp ws current',
        '',
      ].join('\n'),
    );
  });

  it('is one line if no more is known', () => {
    expect(messageText(new DtpError('usage', 'two\nlines'), plain)).toBe('error: two\\nlines\n');
  });

  it('is in color on request', () => {
    expect(messageText(new DtpError('usage', 'no'), { color: true, debug: false })).toBe(
      '\u001b[1m\u001b[31merror:\u001b[39m\u001b[22m no\n',
    );
  });

  it('has facts and stacks with debug only', () => {
    const error = new DtpError('network', 'lost', { cause: new TypeError('why'), attempts: 3 });
    expect(messageText(error, plain)).not.toContain(' at ');
    const text = messageText(error, { color: false, debug: true });
    expect(text).toContain('"attempts":3');
    expect(text).toMatch(/DtpError: lost\n {4}at .*\nTypeError: why\n {4}at /s);
  });
});

describe('json', () => {
  it('is one line with all known facts', () => {
    const text = messageJson(missing);
    expect(text).toMatch(/^[^\n]+\n$/);
    expect(JSON.parse(text)).toEqual({
      error: {
        code: 'not_found',
        message: '404 from GET /v1/workspace/w_1: not found',
        exit_code: 6,
        status: 404,
        operation: 'getWorkspace',
        method: 'GET',
        path: '/v1/workspace/w_1',
        request_id: 'r_1',
        retryable: false,
        attempts: 1,
        hint: 'List what exists.',
        next: [{ command: 'dtp ws list' }, { command: 'dtp ws current' }],
        details: { message: 'not found' },
      },
    });
  });

  it('omits unknown facts', () => {
    expect(messageJson(new DtpError('timeout', 'late'))).toBe(
      '{"error":{"code":"timeout","message":"late","exit_code":124}}\n',
    );
  });
});
