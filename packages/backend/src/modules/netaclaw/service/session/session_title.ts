import type { UserMessage } from '@netaclaw/contracts';

const MAX_TITLE = 80;

/** A session's title: the beginning of what the user first said. */
export function titleOf(content: UserMessage['content']): string {
  const text =
    typeof content === 'string'
      ? content
      : content.map((part) => (part.type === 'text' ? part.text : '')).join(' ');
  const line = text.replace(/\s+/g, ' ').trim();
  const characters = [...line];
  if (characters.length <= MAX_TITLE) return line || 'Untitled';
  return `${characters.slice(0, MAX_TITLE - 1).join('')}…`;
}
