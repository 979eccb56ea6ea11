/**
 * Daybook, a payments and payouts service. State is a fold over the journal, a file from which a restart restores all.
 *
 * PORT        port to listen on, or 0 for a free one (default: 4700)
 * JOURNAL     path of the journal (default: journal.jsonl)
 * PUBLIC_URL  address of the service for customers (default: http://127.0.0.1 and the port)
 */
import { readFileSync } from 'node:fs';
import { createHttpServer } from './http.js';
import { openJournal } from './journal.js';
import { createService } from './service.js';

const { PORT = '4700', JOURNAL = 'journal.jsonl', PUBLIC_URL } = process.env;

const merchants = JSON.parse(readFileSync(new URL('merchants.json', import.meta.url), 'utf8'));
const service = createService({ journal: openJournal(JOURNAL), merchants });

const baseUrl = () => PUBLIC_URL ?? `http://127.0.0.1:${server.address().port}`;
const server = createHttpServer({ service, merchants, baseUrl });

server.listen(Number(PORT), '127.0.0.1', () => console.log(`Listening on ${baseUrl()}`));
