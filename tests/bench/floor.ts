/**
 * The minimum cost of a durable POST: Fastify, the same validation, and two inserts, committed in groups with
 * synchronous=FULL. It has no domain and no background work. Includes an echo server. Prints its address, and stops
 * with its parent.
 */
import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import Fastify from 'fastify';
import { responseExamples } from '../../generated/examples.ts';
import { requestBodies } from '../../generated/validators.js';

const [kind = 'floor', file = ''] = process.argv.slice(2);

if (kind === 'echo') {
  const answer = JSON.stringify(responseExamples.getPayment[200].created);
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length });
    response.end(answer);
  });
  server.listen(0, '127.0.0.1', () => print(server.address()));
} else {
  const app = Fastify();
  const commit = committer(file);
  app.post('/payments', async (request, reply) => {
    if (!requestBodies.createPayment(request.body)) return reply.code(400).send(requestBodies.createPayment.errors);
    const id = await commit(request.body.merchant_order_id, JSON.stringify(request.body));
    return { transaction_id: id, merchant_order_id: request.body.merchant_order_id, status: 'CREATED' };
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  print(app.server.address());
}

function print(address: unknown): void {
  console.log(`http://127.0.0.1:${(address as { port: number }).port}`);
  process.stdin.on('end', () => process.exit(0)).resume();
}

/** Two inserts per call. The calls of one tick share a commit. */
function committer(path: string): (orderId: string, body: string) => Promise<string> {
  const db = new DatabaseSync(path);
  db.exec('pragma journal_mode = wal; pragma synchronous = full');
  db.exec('create table payments (id text primary key, order_id text unique, body text)');
  db.exec('create table log (id integer primary key, payment_id text, at integer)');
  const payment = db.prepare('insert into payments (id, order_id, body) values (?, ?, ?)');
  const log = db.prepare('insert into log (payment_id, at) values (?, ?)');
  let waiting: { run: () => string; resolve: (id: string) => void }[] = [];
  let next = 0;
  const flush = () => {
    const group = waiting;
    waiting = [];
    db.exec('begin immediate');
    const ids = group.map(({ run }) => run());
    db.exec('commit');
    for (const [index, { resolve }] of group.entries()) resolve(ids[index] ?? '');
  };
  return (orderId, body) =>
    new Promise((resolve) => {
      const run = () => {
        const id = `pay_${next++}`;
        payment.run(id, orderId, body);
        log.run(id, Date.now());
        return id;
      };
      if (waiting.push({ run, resolve }) === 1) setImmediate(flush);
    });
}
