import { describe, expect, it } from '@jest/globals';
import type { DiskAttachment } from '../../../src/core/ports/disk-backend.ts';
import { decodePublishContext, encodePublishContext } from '../../../src/core/publish-context.ts';

const ATTACHMENT: DiskAttachment = {
  transport: 'local',
  serialNumber: '5f2c',
  page83: 'naa.6001',
  capacityBytes: 1073741824n,
  content: { state: 'ntfs', found: 'an NTFS volume', fileSystemBytes: 1055916032n },
  examinedAt: new Date('2026-11-21T08:00:00.000Z'),
};
const CONTEXT = encodePublishContext(ATTACHMENT);

describe('publish_context', () => {
  it('has these keys and no other: controller and node of two releases must agree', () => {
    expect(CONTEXT).toStrictEqual({
      transport: 'local',
      serialNumber: '5f2c',
      page83: 'naa.6001',
      capacityBytes: '1073741824',
      contentState: 'ntfs',
      contentFound: 'an NTFS volume',
      fileSystemBytes: '1055916032',
      examinedAt: '2026-11-21T08:00:00.000Z',
    });
  });

  const required = [
    'transport',
    'serialNumber',
    'page83',
    'capacityBytes',
    'contentState',
    'fileSystemBytes',
    'examinedAt',
  ];

  it.each(required)('without %s is invalid-argument', (key) => {
    const { [key]: _gone, ...rest } = CONTEXT;
    for (const context of [rest, { ...rest, [key]: '' }]) {
      expect(() => decodePublishContext(context)).toThrow(
        expect.objectContaining({ code: 'invalid-argument', message: expect.stringContaining(key) }),
      );
    }
  });

  it('needs no words for what was found, and ignores what others add', () => {
    const { contentFound: _gone, ...rest } = CONTEXT;
    expect(decodePublishContext({ ...rest, extra: '1' })).toStrictEqual({
      ...ATTACHMENT,
      content: { ...ATTACHMENT.content, found: '' },
    });
  });

  it.each([
    ['transport', 'fax'],
    ['contentState', 'maybe'],
    ['capacityBytes', '-1'],
    ['capacityBytes', '1e9'],
    ['capacityBytes', ' 1'],
    ['fileSystemBytes', '99999999999999999999'],
    ['examinedAt', 'yesterday'],
    ['examinedAt', '2026-11-21'],
  ])('with %s "%s" is invalid-argument and quotes it', (key, value) => {
    expect(() => decodePublishContext({ ...CONTEXT, [key]: value })).toThrow(
      expect.objectContaining({ code: 'invalid-argument', message: expect.stringContaining(`"${value}"`) }),
    );
  });
});
