/** Declares the operations of the API's Reports table. */
import { defineOwn, inPath } from './operation.ts';

const documentChecksum = inPath('checksum of the report (MD5 in hex)');

export const uploadReport = defineOwn('POST /v1/reports', {
  command: ['reports', 'upload'],
  summary: 'Upload a lint or change report',
  operand: 'file',
  input: {
    data: { in: 'part', kind: 'json', required: true, record: 'Report', help: 'report metadata' },
    file: { in: 'part', kind: 'file', required: true, help: 'report file' },
  },
  flow: 'upload',
});

export const getLintingReportSignedUrl = defineOwn('GET /v1/reports/linting/{documentChecksum}', {
  command: ['reports', 'linting-url'],
  summary: 'Get a signed URL of a lint report',
  input: { documentChecksum },
  flow: 'link',
});

export const getChangesReportSignedUrl = defineOwn('GET /v1/reports/changes/{documentChecksum}', {
  command: ['reports', 'changes-url'],
  summary: 'Get a signed URL of a change report',
  input: { documentChecksum },
  flow: 'link',
});
