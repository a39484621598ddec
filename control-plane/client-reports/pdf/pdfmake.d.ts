/** The part of pdfmake that Picket uses. The types that others publish for it need those of the DOM. */
declare module 'pdfmake' {
  type Margin = [left: number, top: number, right: number, bottom: number];

  interface Style {
    fontSize?: number;
    bold?: boolean;
    color?: string;
    lineHeight?: number;
    alignment?: 'left' | 'right';
    margin?: Margin;
    font?: string;
    /** `break-all`: words that are too long for a line are broken. */
    wordBreak?: 'break-all';
  }

  interface Placed extends Style {
    style?: string;
    width?: number | '*' | 'auto';
    pageBreak?: 'before' | 'after';
    unbreakable?: boolean;
  }

  type Shape =
    | { type: 'rect'; x: number; y: number; w: number; h: number; color: string }
    | { type: 'line'; x1: number; y1: number; x2: number; y2: number; lineWidth: number; lineColor: string };

  interface TableLayout {
    hLineWidth?(line: number): number;
    vLineWidth?(): number;
    hLineColor?(line: number): string;
    vLineColor?(): string;
    fillColor?: string;
    paddingLeft?(): number;
    paddingRight?(): number;
    paddingTop?(): number;
    paddingBottom?(): number;
  }

  interface Table {
    headerRows?: number;
    keepWithHeaderRows?: number;
    dontBreakRows?: boolean;
    widths: (number | '*' | 'auto')[];
    heights?: number[];
    body: Content[][];
  }

  export type Content = Placed &
    (
      | { text: string | string[]; tocItem?: boolean; border?: [boolean, boolean, boolean, boolean]; colSpan?: number }
      | { stack: Content[] }
      | { columns: Content[] }
      | { ul: Content[]; markerColor?: string }
      | { table: Table; layout: TableLayout | 'noBorders' }
      | { canvas: Shape[] }
      | { svg: string }
      | { image: string; fit: [width: number, height: number] }
      | { toc: { title: Content; outlines: boolean; textStyle: string; numberStyle: string } }
    );

  export interface DocumentDefinition {
    pageSize: 'A4' | 'Letter';
    pageMargins: Margin;
    /** Of the text, for screen readers. */
    language: string;
    displayTitle: boolean;
    info: { title: string; author: string; subject: string; creator: string; producer: string };
    defaultStyle: Style;
    styles: Record<string, Style>;
    background(page: number): Content | null;
    footer(page: number, pages: number): Content | null;
    content: Content[];
  }

  interface FontFiles {
    normal: string;
    bold: string;
    italics: string;
    bolditalics: string;
  }

  const pdfmake: {
    /** Whether a document may load this URL. */
    setUrlAccessPolicy(mayRead: (url: string) => boolean): void;
    /** Whether a document may read this file. */
    setLocalAccessPolicy(mayRead: (path: string) => boolean): void;
    addFonts(fonts: Record<string, FontFiles>): void;
    createPdf(document: DocumentDefinition): { getBuffer(): Promise<Uint8Array> };
  };
  export default pdfmake;
}
