/** Defines the examples in help topics. */
import type { Example } from '../../operations/examples.ts';

/** Examples of how to pass a request body, for the topic `bodies`. */
export const bodyExamples: readonly Example[] = [
  {
    says: 'Set fields with flags',
    command: 'dtp ws create --name Staging --slug staging --dry-run',
  },
  {
    says: 'Read the body from a file; the flag overrides a field',
    command: 'dtp ws create --body @workspace.yaml --name Staging --dry-run',
  },
  {
    says: 'Set any field: a JSON value with -F, a string with -f',
    command: "dtp ws create -F verified=true -f name=7 -F 'labels[]=a' --dry-run",
  },
  {
    says: 'Create a template to edit',
    command: 'dtp ws create --skeleton -o yaml > new.yaml',
  },
];
