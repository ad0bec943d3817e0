import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import {
  bracketMatching,
  defineLanguageFacet,
  HighlightStyle,
  Language,
  syntaxHighlighting,
} from '@codemirror/language';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { parser as markdownParser } from '@lezer/markdown';

/** What a code field holds. */
export type CodeLanguage = 'json' | 'markdown';

export interface CodeEditorOptions {
  parent: HTMLElement;
  language: CodeLanguage;
  text: string;
  readonly: boolean;
  /** Attributes of the part that takes the focus: its name for screen readers, above all. */
  attributes: Record<string, string>;
  onChange: (text: string) => void;
}

/** The colours stand in `code-editor.vue`, for light and dark. */
const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.heading], color: 'var(--code-name)', fontWeight: '600' },
  { tag: [tags.string, tags.monospace], color: 'var(--code-text)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--code-value)' },
  { tag: [tags.link, tags.url], color: 'var(--code-name)', textDecoration: 'underline' },
  { tag: tags.strong, fontWeight: '700' },
  { tag: tags.emphasis, fontStyle: 'italic' },
]);

/** Without the languages that may stand in its fences: they would bring ten times as much script. */
const markdown = new Language(defineLanguageFacet(), markdownParser, [], 'markdown');

const languages: Record<CodeLanguage, () => Extension> = {
  json: () => [json(), lineNumbers(), bracketMatching()],
  markdown: () => markdown,
};

/**
 * An editor for code in its place on the page. Tab moves on as in every other field: it is bound to
 * nothing here.
 */
export function createCodeEditor(options: CodeEditorOptions): EditorView {
  const { parent, language, text, readonly, attributes, onChange } = options;
  return new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        languages[language](),
        syntaxHighlighting(colours),
        history(),
        keymap.of([...defaultKeymap, ...historyKeymap]),
        EditorView.lineWrapping,
        EditorState.readOnly.of(readonly),
        EditorView.contentAttributes.of({ 'aria-multiline': 'true', ...attributes }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange(update.state.doc.toString());
        }),
      ],
    }),
  });
}

/** Shows another text, as one change that can be undone. Nothing happens when it is there already. */
export function showText(view: EditorView, text: string): void {
  const { length } = view.state.doc;
  if (view.state.doc.toString() === text) return;
  view.dispatch({ changes: { from: 0, to: length, insert: text } });
}
