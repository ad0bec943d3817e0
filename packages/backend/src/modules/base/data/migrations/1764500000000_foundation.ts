import { Provide } from '@midwayjs/core';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columnsFor, createTable, type Columns, type TableDefinition } from './columns.js';

/** The tables that the server began with. */
@Provide()
export class Foundation1764500000000 implements MigrationInterface {
  name = 'Foundation1764500000000';

  async up(runner: QueryRunner): Promise<void> {
    const columns = columnsFor(runner);
    for (const table of [...baseTables(columns), ...agentTables(columns), ...runTables(columns)]) {
      await createTable(runner, table);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    const columns = columnsFor(runner);
    for (const { name } of [
      ...baseTables(columns),
      ...agentTables(columns),
      ...runTables(columns),
    ]) {
      await runner.dropTable(name, true);
    }
  }
}

const numbered = (c: Columns) => [c.autoId(), c.time('createTime'), c.time('updateTime')];
const version = (c: Columns) => c.int('version', { default: 1 });
const status = (c: Columns) => c.int('status', { default: 1 });
const optional = { isNullable: true };

function baseTables(c: Columns): TableDefinition[] {
  return [
    {
      name: 'base_user',
      columns: [
        ...numbered(c),
        c.varchar('username', 64),
        c.varchar('passwordHash', 255),
        c.varchar('role', 20),
        status(c),
        version(c),
      ],
      indices: [{ columns: ['username'], unique: true }],
    },
    {
      name: 'base_sign_in',
      columns: [
        ...numbered(c),
        c.varchar('familyId', 36),
        c.int('userId'),
        c.varchar('tokenHash', 64),
        c.time('expiresAt'),
      ],
      indices: [{ columns: ['familyId'], unique: true }, { columns: ['userId'] }],
    },
    apiKeyTable(c),
    auditTable(c),
    {
      name: 'base_counter',
      columns: [c.varchar('name', 50, { isPrimary: true }), c.int('value')],
    },
    {
      name: 'base_node',
      columns: [c.varchar('id', 36, { isPrimary: true }), c.time('seenAt')],
    },
  ];
}

const apiKeyTable = (c: Columns): TableDefinition => ({
  name: 'base_api_key',
  columns: [
    ...numbered(c),
    c.varchar('name', 100),
    c.varchar('keyHash', 64),
    c.varchar('hint', 8),
    c.json('agents', optional),
    c.int('rateLimit', optional),
    c.time('expiresAt', optional),
    c.time('lastUsedAt', optional),
    status(c),
    version(c),
  ],
  indices: [
    { columns: ['name'], unique: true },
    { columns: ['keyHash'], unique: true },
  ],
});

const auditTable = (c: Columns): TableDefinition => ({
  name: 'base_audit',
  columns: [
    c.autoId(),
    c.time('at'),
    c.varchar('actor', 120),
    c.varchar('action', 40),
    c.varchar('target', 200),
    c.json('before', optional),
    c.json('after', optional),
    c.varchar('ip', 64, optional),
  ],
  indices: [{ columns: ['at'] }, { columns: ['actor'] }, { columns: ['target'] }],
});

function agentTables(c: Columns): TableDefinition[] {
  return [toolTable(c), agentTable(c), channelTable(c)];
}

const toolTable = (c: Columns): TableDefinition => ({
  name: 'netaclaw_tool',
  columns: [
    ...numbered(c),
    c.varchar('name', 100),
    c.varchar('label', 200, optional),
    c.varchar('toolset', 50),
    c.text('description', optional),
    c.varchar('visibility', 20, optional),
    c.varchar('capability', 20, optional),
    status(c),
    c.int('isCore'),
    c.int('canDisable'),
    c.text('promptHint', optional),
    c.int('sort', { default: 0 }),
    c.json('extra', optional),
    c.varchar('source', 50),
    c.varchar('catalogState', 20),
    version(c),
  ],
  indices: [{ columns: ['name'], unique: true }, { columns: ['toolset'] }, { columns: ['status'] }],
});

const agentTable = (c: Columns): TableDefinition => ({
  name: 'netaclaw_agent',
  columns: [
    ...numbered(c),
    c.varchar('name', 64),
    c.varchar('label', 200),
    c.text('description'),
    c.text('systemPrompt'),
    c.int('channelId', optional),
    c.varchar('capability', 20, optional),
    c.json('toolsets', optional),
    c.json('tools'),
    c.json('skills'),
    c.json('memory'),
    c.varchar('runtime', 20),
    c.json('sandbox', optional),
    c.json('limits'),
    status(c),
    version(c),
  ],
  indices: [{ columns: ['name'], unique: true }, { columns: ['channelId'] }],
});

const channelTable = (c: Columns): TableDefinition => ({
  name: 'netaclaw_model_channel',
  columns: [
    ...numbered(c),
    c.varchar('name', 100),
    c.varchar('protocol', 40),
    c.varchar('baseUrl', 2000, optional),
    c.text('apiKey', optional),
    c.varchar('apiKeyHint', 8, optional),
    c.varchar('model', 200),
    c.varchar('capability', 20, optional),
    c.int('contextWindow', optional),
    c.int('maxOutputTokens', optional),
    c.json('params'),
    c.text('headers', optional),
    c.int('timeoutMs', optional),
    c.int('fallbackChannelId', optional),
    status(c),
    version(c),
  ],
  indices: [{ columns: ['name'], unique: true }],
});

function runTables(c: Columns): TableDefinition[] {
  const key = c.varchar('id', 36, { isPrimary: true });
  const times = [c.time('createTime'), c.time('updateTime')];
  return [
    {
      name: 'netaclaw_session',
      columns: [
        key,
        ...times,
        c.varchar('owner', 64),
        c.varchar('agent', 64),
        c.varchar('title', 200),
      ],
      indices: [{ columns: ['owner', 'updateTime'] }, { columns: ['updateTime'] }],
    },
    runTable(c),
    {
      name: 'netaclaw_run_request',
      columns: [c.varchar('requestKey', 170, { isPrimary: true }), c.varchar('runId', 36)],
    },
    {
      name: 'netaclaw_run_snapshot',
      columns: [c.varchar('hash', 64, { isPrimary: true }), c.text('content')],
    },
    {
      name: 'netaclaw_file',
      columns: [
        key,
        ...times,
        c.varchar('owner', 64),
        c.varchar('name', 255),
        c.varchar('mime', 127),
        c.int('size'),
      ],
      indices: [{ columns: ['owner'] }],
    },
  ];
}

const runTable = (c: Columns): TableDefinition => ({
  name: 'netaclaw_run',
  columns: [
    c.varchar('id', 36, { isPrimary: true }),
    c.varchar('sessionId', 36),
    c.varchar('activeSessionId', 36, optional),
    c.varchar('parentRunId', 36, optional),
    c.varchar('owner', 64),
    c.varchar('actor', 120),
    c.varchar('agent', 64),
    c.varchar('source', 20),
    c.varchar('status', 20),
    c.int('cancelRequested', { default: 0 }),
    c.text('error', optional),
    c.varchar('model', 200),
    c.int('inputTokens', { default: 0 }),
    c.int('outputTokens', { default: 0 }),
    c.int('toolCallCount', { default: 0 }),
    c.int('messageCount', { default: 0 }),
    c.varchar('snapshotHash', 64),
    c.varchar('nodeId', 36),
    c.time('startedAt'),
    c.time('endedAt', optional),
    c.text('messages'),
    c.text('layers'),
    c.text('events', optional),
  ],
  indices: [
    { columns: ['sessionId', 'id'] },
    { columns: ['activeSessionId'], unique: true },
    { columns: ['agent', 'actor', 'model'] },
  ],
});
