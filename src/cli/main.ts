#!/usr/bin/env node
import { dispatch, guardProcess, prepareExit } from './dispatch.ts';

guardProcess();
process.exitCode = await dispatch(process.argv.slice(2));
prepareExit();
