import type { Message, Part, UserMessage } from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { LRUCache } from 'lru-cache';
import { DomainError } from '../../../base/error.js';
import { EgressRefused } from '../../../base/net/egress.js';
import { ComputerError, type Computer } from '../../sandbox/components.js';
import { NetaClawEgressService } from '../server/egress.js';
import { NetaClawFileStoreService, type StoredFile } from './file_store.js';
import { imageTypeOf } from './image_type.js';

const MAX_IMAGE_BYTES = 10 * 1024 * 1024;
const IMAGE_TIMEOUT_MS = 20_000;
/** How long a history does without an image whose address failed. */
const GONE_MS = 10 * 60_000;
const imageTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** An image that models take, named as what its bytes are. */
export interface Image {
  mime: string;
  bytes: Buffer;
}

/** Who sends what to which model. */
export interface AttachmentContext {
  owner: string;
  acceptsImages: boolean;
  /** The session's computer, where attached files are laid; null when it has none. */
  computer: (() => Promise<Computer>) | null;
}

/** Turns what a person attached into what a model can be sent: images as data, files as a line of text. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawAttachmentsService {
  @Inject() files: NetaClawFileStoreService;
  @Inject() egress: NetaClawEgressService;
  private readonly gone = new LRUCache<string, true>({ max: 1000, ttl: GONE_MS });

  /**
   * The message as it is stored: images that it gives by address, or as data, become files of its sender,
   * so that later turns are sent what this one was. Throws `DomainError` for what is no image.
   */
  async keep(
    content: UserMessage['content'],
    context: AttachmentContext,
  ): Promise<UserMessage['content']> {
    if (typeof content === 'string' || !context.acceptsImages) return content;
    const parts: Part[] = [];
    for (const [index, part] of content.entries()) {
      parts.push(await this.keepImage(part, `message.${index}`, context));
    }
    return parts;
  }

  /** The message for the model. Throws `DomainError` naming the part that cannot be used. */
  async prepare(content: UserMessage['content'], context: AttachmentContext): Promise<UserMessage> {
    if (typeof content === 'string') return { role: 'user', content };
    const parts: Part[] = [];
    for (const [index, part] of content.entries()) {
      parts.push(await this.preparePart(part, `message.${index}`, context));
    }
    return { role: 'user', content: parts };
  }

  /** Earlier messages: what can no longer be had becomes a line that says so. The others stay the same objects. */
  async prepareHistory(
    messages: readonly Message[],
    context: AttachmentContext,
  ): Promise<readonly Message[]> {
    if (!messages.some(hasParts)) return messages;
    const earlier = { ...context, computer: null };
    return Promise.all(
      messages.map((message) =>
        hasParts(message) ? this.prepareEarlier(message.content, earlier) : message,
      ),
    );
  }

  private async prepareEarlier(
    content: readonly Part[],
    context: AttachmentContext,
  ): Promise<UserMessage> {
    const parts = content.map(async (part) => {
      const address = part.type === 'image' && 'url' in part ? part.url : '';
      if (this.gone.has(address)) return noLongerThere(part);
      return this.preparePart(part, 'history', context).catch(() => {
        if (address !== '' && !isDataUrl(address)) this.gone.set(address, true);
        return noLongerThere(part);
      });
    });
    return { role: 'user', content: await Promise.all(parts) };
  }

  private async keepImage(part: Part, path: string, { owner }: AttachmentContext): Promise<Part> {
    if (part.type !== 'image' || !('url' in part)) return part;
    const { mime, bytes } = await this.imageAt(part.url, path);
    const name = `image.${mime.slice('image/'.length)}`;
    const { fileId } = await this.files.keep(bytes, { owner, name, mime });
    return { type: 'image', fileId };
  }

  private async preparePart(part: Part, path: string, context: AttachmentContext): Promise<Part> {
    if (part.type === 'text') return part;
    if (part.type === 'file') return this.prepareFile(part.fileId, context);
    if (!context.acceptsImages) return part;
    if ('url' in part) return { type: 'image', url: dataUrl(await this.imageAt(part.url, path)) };
    const file = await this.files.find(part.fileId, context.owner);
    return { type: 'image', url: dataUrl(await this.readImage(file, path)) };
  }

  private async prepareFile(fileId: string, context: AttachmentContext): Promise<Part> {
    const file = await this.files.find(fileId, context.owner);
    const what = `[The user attached the file "${file.name}" (${file.mime}, ${file.size} bytes)`;
    if (!context.computer) return { type: 'text', text: `${what}.]` };
    const target = `uploads/${fileId.slice(-8)}-${file.name.replace(/[^\p{L}\p{N}._-]+/gu, '_')}`;
    try {
      const computer = await context.computer();
      await computer.files.upload(file.path, target);
      return { type: 'text', text: `${what}. It lies in the workspace at ${target}]` };
    } catch (error) {
      if (!(error instanceof ComputerError)) throw error;
      return {
        type: 'text',
        text: `${what}. It could not be laid into the workspace: ${error.message}]`,
      };
    }
  }

  private async readImage(file: StoredFile, path: string): Promise<Image> {
    if (file.size > MAX_IMAGE_BYTES) throw unusable(path, 'the image is larger than 10 MiB');
    return imageFrom(await this.files.read(file), file.mime, path);
  }

  private async imageAt(url: string, path: string): Promise<Image> {
    return isDataUrl(url) ? imageIn(url, path) : this.download(url, path);
  }

  private async download(url: string, path: string): Promise<Image> {
    const limits = { maxBytes: MAX_IMAGE_BYTES, timeoutMs: IMAGE_TIMEOUT_MS };
    try {
      const { status, contentType, body } = await this.egress.client.get(url, limits);
      const mime = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
      if (status !== 200) throw unusable(path, `the image's address answered ${status}`);
      return imageFrom(body, mime, path);
    } catch (error) {
      if (error instanceof DomainError) throw error;
      const why =
        error instanceof EgressRefused || error instanceof Error ? error.message : 'unknown';
      throw unusable(path, `the image could not be fetched: ${why}`);
    }
  }
}

/** What a data: URL holds. Throws `DomainError` for what is no image that models take. */
export function imageIn(url: string, path: string): Image {
  const [head, mime = ''] = /^data:(image\/[a-z.+-]+);base64,/i.exec(url.slice(0, 100)) ?? [];
  if (head === undefined) throw unusable(path, 'a data: URL must hold an image in base64');
  const bytes = Buffer.from(url.slice(head.length), 'base64');
  if (bytes.length === 0) throw unusable(path, 'the data: URL holds no image');
  if (bytes.length > MAX_IMAGE_BYTES) throw unusable(path, 'the image is larger than 10 MiB');
  return imageFrom(bytes, mime.toLowerCase(), path);
}

/** Providers refuse an image that is none, and each later request that holds it: so bytes decide, not names. */
function imageFrom(bytes: Buffer, claimed: string, path: string): Image {
  const mime = imageTypeOf(bytes);
  if (mime !== null) return { mime, bytes };
  const what = imageTypes.has(claimed) ? `what is called ${claimed}` : claimed || 'its content';
  throw unusable(path, `${what} is no image that models take (PNG, JPEG, GIF or WebP)`);
}

export const isDataUrl = (url: string): boolean => /^data:/i.test(url);

const hasParts = (message: Message): message is UserMessage & { content: Part[] } =>
  message.role === 'user' && typeof message.content !== 'string';

const dataUrl = ({ mime, bytes }: Image): string =>
  `data:${mime};base64,${bytes.toString('base64')}`;

const unusable = (path: string, message: string): DomainError =>
  new DomainError('validation', `${path}: ${message}`, [{ path, message }]);

const noLongerThere = (part: Part): Part =>
  part.type === 'text'
    ? part
    : { type: 'text', text: `[An attached ${part.type} is no longer there.]` };
