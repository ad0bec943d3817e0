import { describe, expect, it } from 'vitest';
import { renderMarkdown } from './markdown.js';

// DOMPurify needs a real DOM: its part is tested in Chromium, in e2e.
describe('renderMarkdown', () => {
  it('renders markdown', () => {
    expect(renderMarkdown('**bold** and `code`')).toContain('<strong>bold</strong>');
  });

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<svg onload=alert(1)><a xlink:href="javascript:alert(1)">x</a></svg>',
    '[x](javascript:alert(1))',
    '[x](data:text/html,<script>alert(1)</script>)',
    '<a href="javascript:alert(1)">x</a>',
    '![x](javascript:alert(1))',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  ])('makes %s harmless', (payload) => {
    const holder = document.createElement('div');
    holder.innerHTML = renderMarkdown(payload);
    const elements = [...holder.querySelectorAll('*')];
    expect(holder.querySelector('script, iframe, svg, object, embed')).toBeNull();
    const attributes = elements.flatMap((element) => [...element.attributes]);
    expect(attributes.filter(({ name }) => name.startsWith('on'))).toEqual([]);
    expect(attributes.filter(({ value }) => /^\s*(javascript|data):/i.test(value))).toEqual([]);
  });

  it('makes a link of an address, and none of the name of a file', () => {
    expect(renderMarkdown('Wrote notes.md')).not.toContain('<a');
    expect(renderMarkdown('See https://example.com')).toContain('href="https://example.com"');
  });
});
