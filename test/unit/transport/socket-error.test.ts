import { constants } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { failureOf } from '../../../src/transport/socket-error.ts';

const { errno } = constants;

describe('failureOf', () => {
  it.each([errno.EAGAIN, errno.EINTR, errno.EINPROGRESS, 10035, 10004, 10036])('%d is no failure', (code) => {
    expect(failureOf('recv', code)).toBe('again');
  });

  it.each([
    [errno.ECONNREFUSED, 'ECONNREFUSED', 'refused'],
    [10061, 'ECONNREFUSED', 'refused'],
    [errno.ENOENT, 'ENOENT', 'refused'],
    [errno.EADDRINUSE, 'EADDRINUSE', 'in-use'],
    [10048, 'EADDRINUSE', 'in-use'],
    [errno.ECONNRESET, 'ECONNRESET', 'gone'],
    [10054, 'ECONNRESET', 'gone'],
    [errno.EPIPE, 'EPIPE', 'gone'],
    [errno.EMFILE, 'EMFILE', 'exhausted'],
    [10024, 'EMFILE', 'exhausted'],
    [10047, 'EAFNOSUPPORT', 'other'],
    [12345, 'error 12345', 'other'],
  ])('%d is %s: %s', (number, code, fault) => {
    expect(failureOf('recv', number)).toMatchObject({ code, fault, message: `recv failed: ${code}` });
  });
});
