// The least a server can do for the same turn: take the request, make the same two model calls, hand the
// answer on. No rights, no tools of its own, nothing stored.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import pLimit from 'p-limit';
import { Pool } from 'undici';
import { serveAsChild } from './child.js';
import { CREW_PARALLEL } from './crew_size.js';

const [modelUrl = '', toolsJson = '[]'] = process.argv.slice(2);
const pool = new Pool(modelUrl, { connections: 128 });

interface Asked {
  /** Messages before this one. */
  history?: unknown[];
  message: string;
  stream: boolean;
}

const callModel = (messages: readonly unknown[], stream: boolean) =>
  pool.request({
    method: 'POST',
    path: '/v1/chat/completions',
    headers: { 'content-type': 'application/json' },
    body: `{"model":"bench","stream":${stream},"messages":${JSON.stringify(messages)},"tools":${toolsJson}}`,
  });

/** As many model calls as a crew makes: its master's, each member's, never more than so many at once, its master's again. */
async function crewTurn(members: number, response: ServerResponse): Promise<void> {
  const user = { role: 'user', content: `DELEGATE ${members}` };
  const first = JSON.parse(await (await callModel([user], false)).body.text()).choices[0].message;
  const limit = pLimit(CREW_PARALLEL);
  const results = await Promise.all(
    first.tool_calls.map((call: { id: string; function: { arguments: string } }) =>
      limit(async () => {
        const { task } = JSON.parse(call.function.arguments);
        const { body } = await callModel([{ role: 'user', content: task }], false);
        const { content } = JSON.parse(await body.text()).choices[0].message;
        return { role: 'tool', tool_call_id: call.id, content };
      }),
    ),
  );
  const last = await callModel([user, first, ...results], false);
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(await last.body.text());
}

async function turn(asked: Asked, response: ServerResponse): Promise<void> {
  const members = /^DELEGATE (\d+)/.exec(asked.message)?.[1];
  if (members) return crewTurn(Number(members), response);
  const messages: unknown[] = [...(asked.history ?? []), { role: 'user', content: asked.message }];
  if (asked.message.startsWith('CALL')) {
    const first = await callModel(messages, false);
    const answer = JSON.parse(await first.body.text());
    const [choice] = answer.choices;
    const [call] = choice.message.tool_calls;
    messages.push(choice.message, { role: 'tool', tool_call_id: call.id, content: 'done' });
  }
  const last = await callModel(messages, asked.stream);
  if (asked.stream) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for await (const part of last.body) response.write(part);
    response.end();
    return;
  }
  const text = await last.body.text();
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(text);
}

async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part);
  await turn(JSON.parse(Buffer.concat(parts).toString()), response);
}

const server = createServer((incoming, response) => void answer(incoming, response));
server.keepAliveTimeout = 600_000;
serveAsChild(server);
