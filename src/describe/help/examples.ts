/** The examples of the first page and of a topic. */
import type { Example } from '../../operations/examples.ts';

/** What the first page begins with. */
export const firstSteps: readonly Example[] = [
  { says: 'Look around, on the embedded service', command: 'dtp --profile local ws current' },
  {
    says: 'Log in to a service',
    command: 'dtp auth login --base-url https://api.example.com --with-token < key.txt',
  },
  {
    says: 'Post events, and search them',
    command: 'dtp events post --body @events.ndjson\ndtp events search --execution-id run-77',
  },
  {
    says: 'Push an API document',
    command: 'dtp artifacts push openapi.yaml --namespace pets --tag v1',
  },
];

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
