import { InsertionMode, Parser, Tokenizer, type TreeAdapter } from 'parse5';
import type { NodeTypes } from './tree.ts';

const [LINE_FEED, TABULATION, SPACE, QUOTATION_MARK, AMPERSAND, LESS_THAN] = [0x0a, 0x09, 0x20, 0x22, 0x26, 0x3c];
const FIRST_SURROGATE = 0xd800;

/**
 * Parses a document like `parse` of parse5, but faster: text and attribute values are read in spans.
 * @throws what the methods of the tree throw
 */
export function parseHtml(markup: string, tree: TreeAdapter<NodeTypes>): void {
  const parser = new Parser<NodeTypes>({ scriptingEnabled: true, treeAdapter: tree });
  parser.tokenizer = new SpanTokenizer(parser);
  parser.tokenizer.write(markup, true);
}

/**
 * Reads text and attribute values in spans, where the base class calls five methods for each code point. The tokens are the same,
 * except that in the body and in raw text, where white space and words are handled alike, white space stays in the token of the
 * word before it. The class uses protected members, so package.json pins the version of parse5.
 */
class SpanTokenizer extends Tokenizer {
  readonly #parser: { readonly insertionMode: InsertionMode };

  constructor(parser: Parser<NodeTypes>) {
    super({ sourceCodeLocationInfo: false }, parser);
    this.#parser = parser;
  }

  protected override _stateData(cp: number): void {
    if (!isText(cp)) super._stateData(cp);
    else {
      this._emitCodePoint(cp);
      this.#skipText(this.#parser.insertionMode === InsertionMode.IN_BODY ? SPACE : SPACE + 1);
    }
  }

  protected override _stateRawtext(cp: number): void {
    if (!isText(cp)) super._stateRawtext(cp);
    else {
      this._emitCodePoint(cp);
      this.#skipText(SPACE);
    }
  }

  protected override _stateScriptData(cp: number): void {
    if (!isText(cp)) super._stateScriptData(cp);
    else {
      this._emitCodePoint(cp);
      this.#skipText(SPACE);
    }
  }

  protected override _stateAttributeValueDoubleQuoted(cp: number): void {
    if (cp === QUOTATION_MARK || !isText(cp)) {
      super._stateAttributeValueDoubleQuoted(cp);
      return;
    }
    this._extendRun(cp);
    const { html, pos } = this.preprocessor;
    let at = pos + 1;
    for (let unit = html.charCodeAt(at); ; unit = html.charCodeAt(++at))
      if (unit === QUOTATION_MARK || unit === AMPERSAND || !(unit >= SPACE && unit < FIRST_SURROGATE)) break;
    this.#skipTo(at);
  }

  /** Reads text up to where another state may begin or a line end has to be replaced. */
  #skipText(least: number): void {
    const { html, pos } = this.preprocessor;
    let at = pos + 1;
    for (let unit = html.charCodeAt(at); ; unit = html.charCodeAt(++at)) {
      if (unit === LESS_THAN || unit === AMPERSAND) break;
      if (unit >= least && unit < FIRST_SURROGATE) continue;
      if (least !== SPACE || (unit !== LINE_FEED && unit !== TABULATION)) break;
    }
    this.#skipTo(at);
  }

  #skipTo(at: number): void {
    this.preprocessor.pos = at - 1;
    this.runEnd = at;
  }
}

/** Tests whether a code point is text wherever markup may be, and no white space. */
function isText(cp: number): boolean {
  return cp > SPACE && cp < FIRST_SURROGATE && cp !== LESS_THAN && cp !== AMPERSAND;
}
