#!/usr/bin/env node
import { start } from "./checked-node.mjs";

start(process.argv.slice(2));
