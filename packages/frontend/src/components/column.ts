/** A column of a table. A slot of the same name shows its cells; without one the row's value is shown. */
export interface Column {
  key: string;
  /** The message that heads it. */
  label: string;
  /** The server can sort by it. */
  sortable?: boolean;
  width?: number;
  minWidth?: number;
  fixed?: 'left' | 'right';
  /** Shown only where there is room for it; the record itself shows it too. */
  wide?: boolean;
}

/** A value a filter or a field can be set to. */
export interface Choice {
  value: string | number;
  label: string;
}

/** A filter above a table; its key is the field of the page's body. */
export interface Filter {
  key: string;
  /** The message that names it. */
  label: string;
  kind: 'text' | 'select';
  choices?: readonly Choice[];
}
