/** Declares the operations of the API's Reports table. */
import { defineOperation } from './operation.ts';

const documentChecksum = {
  in: 'path',
  kind: 'string',
  required: true,
  help: 'checksum of the report (MD5 in hex)',
} as const;

export const uploadReport = defineOperation({
  id: 'uploadReport',
  command: ['reports', 'upload'],
  summary: 'Upload a lint or change report',
  method: 'POST',
  path: '/v1/reports',
  operand: 'file',
  input: {
    data: { in: 'part', kind: 'json', required: true, record: 'Report', help: 'report metadata' },
    file: { in: 'part', kind: 'file', required: true, help: 'report file' },
  },
  result: 'record',
  flow: 'upload',
});

export const getLintingReportSignedUrl = defineOperation({
  id: 'getLintingReportSignedUrl',
  command: ['reports', 'linting-url'],
  summary: 'Get a signed URL of a lint report',
  method: 'GET',
  path: '/v1/reports/linting/{documentChecksum}',
  input: { documentChecksum },
  result: 'record',
  flow: 'link',
});

export const getChangesReportSignedUrl = defineOperation({
  id: 'getChangesReportSignedUrl',
  command: ['reports', 'changes-url'],
  summary: 'Get a signed URL of a change report',
  method: 'GET',
  path: '/v1/reports/changes/{documentChecksum}',
  input: { documentChecksum },
  result: 'record',
  flow: 'link',
});
