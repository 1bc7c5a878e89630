const OASIS = 'urn:oasis:names:tc:opendocument:xmlns:';
export const OFFICE = `${OASIS}office:1.0`;
export const TEXT = `${OASIS}text:1.0`;
export const STYLE = `${OASIS}style:1.0`;
export const TABLE = `${OASIS}table:1.0`;
export const SVG = `${OASIS}svg-compatible:1.0`;
export const DRAW = `${OASIS}drawing:1.0`;
export const PRESENTATION = `${OASIS}presentation:1.0`;
