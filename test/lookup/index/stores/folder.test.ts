import { expect } from 'vitest';
import { openFolder } from '../../../../src/lookup/index/stores/folder/open.ts';
import { openFolderIndex } from '../../../../src/lookup/index/stores/folder.ts';
import type { QueryResult } from '../../../../src/lookup/types.ts';
import { IS_SLOW } from '../../../suite.ts';
import { describeIndex } from '../contract.ts';
import { newPath } from './folders.ts';

const runs = IS_SLOW ? 100 : 4;
const byEither = (): QueryResult['by'] => expect.stringMatching(/^(?:scan|tables)$/) as never;

describeIndex('folder, in segments', async (label) => openFolder(newPath(), { label }, 300), runs, byEither, IS_SLOW ? 1 : 0.5);
describeIndex('folder', (label) => openFolderIndex(newPath(), { label }), runs, byEither, IS_SLOW ? 1 : 0.5);
