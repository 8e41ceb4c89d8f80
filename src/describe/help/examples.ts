/** The examples of a topic. */
import type { Example } from '../../operations/examples.ts';

/** The ways to give a body, on the topic's page. */
export const bodyExamples: readonly Example[] = [
  {
    says: 'A flag for each member that is known',
    command: 'dtp ws create --name Staging --slug staging --dry-run',
  },
  {
    says: 'All of it from a file; a flag wins over it',
    command: 'dtp ws create --body @workspace.yaml --name Staging --dry-run',
  },
  {
    says: 'Any member: typed with -F, a text with -f',
    command: "dtp ws create -F verified=true -f name=7 -F 'labels[]=a' --dry-run",
  },
  {
    says: 'A template to begin with',
    command: 'dtp ws create --skeleton -o yaml > new.yaml',
  },
];
