import { extname } from 'node:path';
import { chatRoutes, type RunEventBody } from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import type { KeptFile, RunFiles } from '../../tools/source.js';
import { NetaClawFileStoreService } from './file_store.js';

const MAX_NAME = 255;
const types: Readonly<Record<string, string>> = {
  '.csv': 'text/csv',
  '.gif': 'image/gif',
  '.html': 'text/html',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.json': 'application/json',
  '.md': 'text/markdown',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain',
  '.webp': 'image/webp',
  '.zip': 'application/zip',
};

/** A person's files as the tools of their runs reach them. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawRunFilesService {
  @Inject() store: NetaClawFileStoreService;

  of(owner: string, emit: (event: RunEventBody) => void): RunFiles {
    return {
      find: (nameOrId) => this.store.findNamed(nameOrId, owner),
      keep: (name, fill) => {
        const clean = name.replaceAll(/\p{Cc}/gu, '').slice(0, MAX_NAME) || 'file';
        const mime = types[extname(clean).toLowerCase()] ?? 'application/octet-stream';
        return this.store.keepWritten({ owner, name: clean, mime }, fill);
      },
      send: (file) => {
        const link = linkOf(file);
        const { fileId, name, size, mime } = file;
        emit({ type: 'file', fileId, name, size, mime, link });
        return link;
      },
    };
  }
}

/** Answers to the file's owner alone. */
const linkOf = ({ fileId }: KeptFile): string => chatRoutes.download.path.replace(':id', fileId);
