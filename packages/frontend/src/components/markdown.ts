import createDOMPurify from 'dompurify';
import MarkdownIt from 'markdown-it';

const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true });
// An address has its `https://`: `notes.md` is a file, not an address.
markdown.linkify.set({ fuzzyLink: false });
const purify = createDOMPurify(window);

/** Links of a model or an operator open apart and learn nothing of this page. */
purify.addHook('afterSanitizeAttributes', (node) => {
  if (node.tagName !== 'A') return;
  node.setAttribute('target', '_blank');
  node.setAttribute('rel', 'noopener noreferrer nofollow');
});

/** Markdown as HTML that is safe to show: no scripts, handlers, styles, forms or odd addresses. */
export function renderMarkdown(text: string): string {
  return purify.sanitize(markdown.render(text), {
    USE_PROFILES: { html: true },
    FORBID_TAGS: ['style', 'form', 'input', 'button', 'textarea', 'select'],
    FORBID_ATTR: ['style', 'class', 'id', 'name'],
    ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|#|\/(?!\/))/i,
  });
}
