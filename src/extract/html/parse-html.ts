import { InsertionMode, Parser, type Token, Tokenizer, type TreeAdapter } from 'parse5';
import type { NodeTypes } from './text-tree.ts';

const [LINE_FEED, TABULATION, SPACE, QUOTATION_MARK, AMPERSAND, LESS_THAN] = [0x0a, 0x09, 0x20, 0x22, 0x26, 0x3c];
const [SOLIDUS, EXCLAMATION_MARK] = [0x2f, 0x21];
const FIRST_SURROGATE = 0xd800;

const LEFT_OUT: ReadonlySet<string> = new Set(['style', 'noscript']);

/** Parses a document like `parse` of parse5, but faster: text and attribute values are read in spans. */
export function parseHtml(markup: string, tree: Partial<TreeAdapter<NodeTypes>>): void {
  const parser = new Parser<NodeTypes>({ scriptingEnabled: true, treeAdapter: tree as TreeAdapter<NodeTypes> });
  parser.tokenizer = new SpanTokenizer(parser);
  parser.tokenizer.write(markup, true);
}

/**
 * Reads spans where the base class calls five methods for each code point; scripts and style sheets have no text.
 * The class uses protected members, so package.json pins the version of parse5.
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
    else if (LEFT_OUT.has(this.lastStartTagName)) this.#skipRaw();
    else {
      this._emitCodePoint(cp);
      this.#skipText(SPACE);
    }
  }

  protected override _stateScriptData(cp: number): void {
    if (!isText(cp)) super._stateScriptData(cp);
    else this.#skipRaw();
  }

  protected override _stateTagName(cp: number): void {
    if (isNameUnit(cp)) (this.currentToken as Token.TagToken).tagName += this.#readName();
    else super._stateTagName(cp);
  }

  protected override _stateAttributeName(cp: number): void {
    if (isNameUnit(cp)) this.currentAttr.name += this.#readName();
    else super._stateAttributeName(cp);
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

  #readName(): string {
    const { html, pos } = this.preprocessor;
    let end = pos + 1;
    while (isNameUnit(html.charCodeAt(end))) end++;
    this.preprocessor.pos = end - 1;
    return html.slice(pos, end);
  }

  /** Reads text up to where another state may begin or a line end has to be replaced. */
  #skipText(min: number): void {
    const { html, pos } = this.preprocessor;
    let at = pos + 1;
    for (let unit = html.charCodeAt(at); ; unit = html.charCodeAt(++at)) {
      if (unit === LESS_THAN || unit === AMPERSAND) break;
      if (unit >= min && unit < FIRST_SURROGATE) continue;
      if (min !== SPACE || (unit !== LINE_FEED && unit !== TABULATION)) break;
    }
    this.#skipTo(at);
  }

  /** Skips what is left out, up to where its end tag or a comment may begin. */
  #skipRaw(): void {
    const { html, pos } = this.preprocessor;
    let at = pos;
    do at = html.indexOf('<', at + 1);
    while (at >= 0 && html.charCodeAt(at + 1) !== SOLIDUS && html.charCodeAt(at + 1) !== EXCLAMATION_MARK);
    this.preprocessor.pos = (at < 0 ? html.length : at) - 1;
  }

  #skipTo(at: number): void {
    this.preprocessor.pos = at - 1;
    this.runEnd = at;
  }
}

/** Tests for a lower-case letter, a digit or a hyphen: most names consist of these. */
function isNameUnit(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || unit === 0x2d || (unit >= 0x30 && unit <= 0x39);
}

/** Tests whether a code point is text wherever markup may be, and not white space. */
function isText(cp: number): boolean {
  return cp > SPACE && cp < FIRST_SURROGATE && cp !== LESS_THAN && cp !== AMPERSAND;
}
