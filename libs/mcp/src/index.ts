export { mcpMigrations } from './adapters/mcp.migrations.js';
export { McpChanges } from './changes.js';
export { McpPrompt, McpPrompts, McpResource, McpResources, McpTool, McpTools } from './declarations.js';
export type {
  ListedResource,
  PromptAnswer,
  PromptMessage,
  PromptSpec,
  ResourceContent,
  ResourceSpec,
  ResourceVariables,
  ToolEffect,
  ToolSpec,
} from './declarations.js';
export { McpFeatures } from './features.js';
export { McpModule } from './mcp.module.js';
export { NeedsInput, needsInput } from './needs-input.js';
export type { FormField, FormSchema, InputWanted } from './needs-input.js';
export { StepUp } from './ports.js';
export { McpProtocolTool } from './protocol-tool.js';
export type { ProtocolToolSpec } from './protocol-tool.js';
export { McpRegistry } from './registry.js';
export { serveMcpStdio } from './stdio.js';
export type { StdioServer, StdioStreams } from './stdio.js';
export type { ClientCan, Frozen, Progress, Round, ToolAnswer, ToolCall } from './tool-call.js';
