/**
 * Whether somebody still reads what a script prints. After `| head -1` nobody does: what follows is lost without an error,
 * so that a script still completes its files, deletes its temporary ones and exits with its own code.
 */
let isThere = true;

for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error) => {
    if (error.code !== 'EPIPE') throw error;
    isThere = false;
  });

export const hasReader = () => isThere;
