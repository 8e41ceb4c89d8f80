/**
 * The process of another tenant: it uses several services until its standard input ends, and then prints how long it
 * waited for each answer. It uses all services at the same time, so that their times can be compared. Its only argument
 * is a JSON array of the services.
 */
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';

/** The fewest rounds, and how long they may take after the end of the input, in milliseconds. */
const [ROUNDS, PATIENCE_MS] = [120, 10_000];

/** How long an answer may take, in milliseconds. */
const LONGEST_MS = 10_000;

const services = JSON.parse(process.argv[2]);
let isOver = false;
let overSince = Number.POSITIVE_INFINITY;
process.stdin.resume().on('end', () => {
  isOver = true;
  overSince = performance.now();
});

/** How long a process was ready to run but had to wait for a processor, in milliseconds. */
function starved(pid) {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}

/** From where the other tenant connects, because a service limits what comes from one host. */
const localAddress = '127.0.0.9';

/** Resolves to the status, 0 if there was no answer, and the milliseconds that it took without such waits. */
function ask({ address, pid, key, ca }, method, path, body) {
  const [start, before] = [performance.now(), starved(pid)];
  const { request } = address.startsWith('https:') ? https : http;
  const headers = { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) };
  return new Promise((done) => {
    const end = (status) => {
      const ms = performance.now() - start - Math.max(0, starved(pid) - before);
      done({ status, ms: Math.round(Math.max(0, ms)) });
    };
    const signal = AbortSignal.timeout(LONGEST_MS);
    const options = { method, headers, agent: false, signal, ca, servername: 'localhost', localAddress };
    request(address + path, options, (response) => {
      response.on('error', () => end(0));
      response.resume().on('end', () => end(response.statusCode));
    })
      .on('error', () => end(0))
      .end(body);
  });
}

const [first, rounds] = [process.pid, []];
const isDone = () => isOver && (rounds.length >= ROUNDS || performance.now() - overSince > PATIENCE_MS);
while (!isDone()) {
  const number = rounds.length;
  const isPost = number % 2 === 1;
  const answers = await Promise.all(
    services.map((service) =>
      isPost
        ? ask(service, 'POST', `/v1/workspace/${service.workspace}/events`, `[{"id":"other-${first}-${number}"}]`)
        : ask(service, 'GET', '/v1/user'),
    ),
  );
  rounds.push({ what: isPost ? 'POST events' : 'GET user', answers });
  if (number === 0) process.stdout.write('{"isReady":true}\n');
  await sleep(10);
}
process.stdout.write(`${JSON.stringify(rounds)}\n`);
