import { createReadStream } from 'node:fs';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { File } from '@netaclaw/contracts';
import { Config, Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { In } from 'typeorm';
import type { Settings } from '../../../../settings.js';
import { Database } from '../../../base/data/database.js';
import { newId } from '../../../base/data/new_id.js';
import { notFound } from '../../../base/error.js';
import { NetaClawFileEntity } from '../../entity/file.js';
import { receiveFile } from './receive_file.js';

/** A file with the place of its bytes. */
export interface StoredFile extends File {
  path: string;
}

/** Whose a file is and what it is called. */
export interface FileFacts {
  owner: string;
  name: string;
  mime: string;
}

/** Files that people send: bytes in the data folder, one row each, each its owner's alone. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawFileStoreService {
  @Config('settings') settings: Settings;
  @Inject() database: Database;

  /** Streams an upload to disk. Refuses what is no multipart body with one file, or too large. */
  async receive(incoming: IncomingMessage, owner: string): Promise<File> {
    const id = newId();
    const path = await this.newPath(id);
    try {
      const { name, mime, size } = await receiveFile(incoming, path);
      await this.insert({ id, owner, name, mime, size });
      return { fileId: id, name, size, mime };
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
  }

  /** Keeps bytes that came in some other way than as an upload. */
  async keep(bytes: Uint8Array, { owner, name, mime }: FileFacts): Promise<File> {
    const id = newId();
    const path = await this.newPath(id);
    await writeFile(path, bytes, { flag: 'wx', mode: 0o600 });
    const size = bytes.length;
    await this.insert({ id, owner, name, mime, size });
    return { fileId: id, name, size, mime };
  }

  /** A file of this owner's. 404 for what is not there or somebody else's. */
  async find(id: string, owner: string): Promise<StoredFile> {
    const row = await this.database.repository(NetaClawFileEntity).findOneBy({ id, owner });
    if (!row) throw notFound(`the file ${id}`);
    return { fileId: id, name: row.name, size: row.size, mime: row.mime, path: this.pathOf(id) };
  }

  /** The names of this owner's files among these. */
  async namesOf(ids: readonly string[], owner: string): Promise<Record<string, string>> {
    if (ids.length === 0) return {};
    const rows = await this.database
      .repository(NetaClawFileEntity)
      .find({ where: { id: In([...ids]), owner }, select: { id: true, name: true } });
    return Object.fromEntries(rows.map(({ id, name }) => [id, name]));
  }

  /** This owner's file by its id, or the newest with this name; null: there is none. */
  async findNamed(nameOrId: string, owner: string): Promise<StoredFile | null> {
    const row = await this.database.repository(NetaClawFileEntity).findOne({
      where: [
        { id: nameOrId, owner },
        { name: nameOrId, owner },
      ],
      order: { id: 'DESC' },
    });
    return (
      row && {
        fileId: row.id,
        name: row.name,
        size: row.size,
        mime: row.mime,
        path: this.pathOf(row.id),
      }
    );
  }

  /** Keeps what `fill` writes to the path it is given, under a name that the server makes. */
  async keepWritten(facts: FileFacts, fill: (path: string) => Promise<void>): Promise<File> {
    const id = newId();
    const path = await this.newPath(id);
    try {
      await fill(path);
      const { size } = await stat(path);
      await this.insert({ id, ...facts, size });
      return { fileId: id, name: facts.name, size, mime: facts.mime };
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
  }

  open(file: StoredFile): NodeJS.ReadableStream {
    return createReadStream(file.path);
  }

  read(file: StoredFile): Promise<Buffer> {
    return readFile(file.path);
  }

  private async insert(file: FileFacts & { id: string; size: number }): Promise<void> {
    const now = new Date();
    const row = { ...file, createTime: now, updateTime: now };
    await this.database.writeOne((manager) => manager.insert(NetaClawFileEntity, row));
  }

  private async newPath(id: string): Promise<string> {
    await mkdir(join(this.settings.dataDir, 'files'), { recursive: true });
    return this.pathOf(id);
  }

  private pathOf(id: string): string {
    return join(this.settings.dataDir, 'files', id);
  }
}
