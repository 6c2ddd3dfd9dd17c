import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import type * as z from 'zod';
import { markMethod, TOOL_SPEC, type OnMethod, type ToolSpec } from './declarations.js';
import type { JsonSchema } from './core/tool-schema.js';
import type { NeedsInput } from './needs-input.js';
import type { ToolCall } from './tool-call.js';

/** A tool that speaks the protocol itself instead of giving a typed answer. */
export interface ProtocolToolSpec<Input extends z.ZodObject = z.ZodObject> extends Omit<ToolSpec<Input, never, string>, 'output'> {
  /** What clients see instead of the schema made from `input`. */
  readonly inputSchema?: JsonSchema;
}

type ProtocolMethod<Input extends z.ZodObject> = (
  input: z.output<Input>,
  call: ToolCall,
  context: ServerContext,
) => Promise<CallToolResult | NeedsInput>;

/** For protocol tests only: any name, any content. Passes the same registry and the same pipeline as `@McpTool`. */
export function McpProtocolTool<Input extends z.ZodObject>(spec: ProtocolToolSpec<Input>): OnMethod<ProtocolMethod<Input>> {
  return markMethod(TOOL_SPEC, spec);
}
