#!/usr/bin/env node
import { dispatch, guardProcess } from './dispatch.ts';
import { prepareExit } from './exit.ts';

guardProcess();
process.exitCode = await dispatch(process.argv.slice(2));
prepareExit();
