/** A page of the reference as Markdown. */
export interface Page {
  /** Of its file, without the extension. */
  name: string;
  title: string;
  /** The method of an operation. */
  method?: string;
  /** One line for the index. */
  summary: string;
  /** Without the title. */
  markdown: string;
}

/** Pages under a heading of the index and of the menu. */
export interface Group {
  title: string;
  pages: Page[];
}
