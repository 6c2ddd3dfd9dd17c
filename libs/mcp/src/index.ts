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
export { McpModule } from './mcp.module.js';
export { NeedsInput, needsInput } from './needs-input.js';
export type { FormField, FormSchema, InputWanted } from './needs-input.js';
export type { ClientCan, Frozen, Progress, Round, ToolAnswer, ToolCall } from './tool-call.js';
