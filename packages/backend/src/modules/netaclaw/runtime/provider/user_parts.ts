import type { Part, UserMessage } from '@netaclaw/contracts';

/** A part as a model can take it: words, or the address of an image. */
export type SendablePart = { type: 'text'; text: string } | { type: 'image'; url: string };

const IMAGE_PLACEHOLDER = '[An image was attached here. This model reads text only.]';

/**
 * A user's parts as they can go to a model: blank text is left out, and where images are not taken a
 * line of text stands in for each. Uploaded files and images should have been replaced by their
 * content or a data URL before; one that was not becomes a line that names it.
 */
export function sendableParts(message: UserMessage, acceptsImages: boolean): SendablePart[] {
  const parts: readonly Part[] =
    typeof message.content === 'string'
      ? [{ type: 'text', text: message.content }]
      : message.content;
  return parts
    .map((part) => toSendable(part, acceptsImages))
    .filter((part) => part.type === 'image' || part.text.trim() !== '');
}

function toSendable(part: Part, acceptsImages: boolean): SendablePart {
  switch (part.type) {
    case 'text':
      return part;
    case 'file':
      return { type: 'text', text: `[Attached file ${part.fileId}]` };
    case 'image':
      if (!acceptsImages) return { type: 'text', text: IMAGE_PLACEHOLDER };
      if ('url' in part) return part;
      return { type: 'text', text: `[Attached image ${part.fileId}]` };
    default:
      return part satisfies never;
  }
}
