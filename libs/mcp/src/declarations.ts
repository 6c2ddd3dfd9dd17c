import 'reflect-metadata';
import type { ContentBlock } from '@modelcontextprotocol/server';
import type { Scope, ToolName } from '#contracts';
import type * as z from 'zod';
import type { NeedsInput } from './needs-input.js';
import type { Frozen, ToolAnswer, ToolCall } from './tool-call.js';

export type ToolEffect = 'read' | 'write' | 'destructive';

export interface ToolSpec<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType, Name extends string = ToolName> {
  readonly name: Name;
  readonly title: string;
  readonly description: string;
  readonly effect: ToolEffect;
  /** Null: any signed-in caller. */
  readonly scope: Scope | null;
  /** The scope may be held in single workspaces: the method asks again for the one it is about. */
  readonly perWorkspace?: boolean;
  readonly input: Input;
  readonly output: Output;
  /** True when it reaches beyond this server and its workspaces. */
  readonly openWorld?: boolean;
  /** True when a second call with the same arguments changes nothing more. Reading tools are. */
  readonly idempotent?: boolean;
  /** Resources that belong to an answer; clients that know links get them beside it. */
  readonly links?: (answer: Frozen<z.output<Output>>) => readonly ListedResource[];
}

/** A readable thing. `uriTemplate` is a URI or an RFC 6570 template; its variables reach the method by name. */
export interface ResourceSpec<List extends string = string, Complete extends string = string> {
  readonly name: string;
  readonly uriTemplate: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  readonly scope: Scope | null;
  /** As for tools. */
  readonly perWorkspace?: boolean;
  /** Name of a public method of the same class that lists what the caller can read. */
  readonly list?: List;
  /** Variable → name of a public method of the same class that completes it. */
  readonly complete?: Readonly<Record<string, Complete>>;
}

export interface PromptSpec<Args extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Strings only, optional or not; that is what the protocol carries. */
  readonly args: Args;
  readonly scope?: Scope;
  /** As for tools. */
  readonly perWorkspace?: boolean;
}

export type ResourceVariables = Readonly<Record<string, string>>;
export type ResourceContent = { readonly mimeType?: string } & ({ readonly text: string } | { readonly blob: Uint8Array });
export interface ListedResource {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly size?: number;
}
export type ResourceReader = (variables: ResourceVariables, call: ToolCall) => Promise<ResourceContent>;
export type ResourceLister = (call: ToolCall) => Promise<readonly ListedResource[]>;
export type ResourceCompleter = (typed: string, call: ToolCall) => Promise<readonly string[]>;

export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: ContentBlock;
}
/** A string is one message of the user. */
export type PromptAnswer = string | readonly PromptMessage[] | NeedsInput;

type ToolMethod<Input extends z.ZodObject, Output extends z.ZodType> = (
  input: z.output<Input>,
  call: ToolCall,
) => ToolAnswer<z.input<Output>>;
type PromptMethod<Args extends z.ZodObject> = (args: z.output<Args>, call: ToolCall) => Promise<PromptAnswer>;
export type OnMethod<Method> = <Actual extends Method>(
  target: object,
  key: string | symbol,
  descriptor: TypedPropertyDescriptor<Actual>,
) => void;
type OnResourceMethod<List extends string, Complete extends string> = <Actual extends ResourceReader>(
  target: Readonly<Record<List, ResourceLister>> & Readonly<Record<Complete, ResourceCompleter>>,
  key: string | symbol,
  descriptor: TypedPropertyDescriptor<Actual>,
) => void;

export const TOOL_SPEC = 'countersign:mcp-tool';
export const RESOURCE_SPEC = 'countersign:mcp-resource';
export const PROMPT_SPEC = 'countersign:mcp-prompt';
export const MCP_CLASS = 'countersign:mcp-class';

/** Marks an injectable class whose `@McpTool` methods are tools. */
export const McpTools = markClass;
/** Marks an injectable class whose `@McpResource` methods are resources. */
export const McpResources = markClass;
/** Marks an injectable class whose `@McpPrompt` methods are prompts. */
export const McpPrompts = markClass;

/** A tool of the product. A name outside the contract's table, or a method that does not fit the schemas, does not compile. */
export function McpTool<Input extends z.ZodObject, Output extends z.ZodType>(
  spec: ToolSpec<Input, Output>,
): OnMethod<ToolMethod<Input, Output>> {
  return markMethod(TOOL_SPEC, spec);
}

export function McpResource<List extends string = never, Complete extends string = never>(
  spec: ResourceSpec<List, Complete>,
): OnResourceMethod<NoInfer<List>, NoInfer<Complete>> {
  return markMethod(RESOURCE_SPEC, spec);
}

export function McpPrompt<Args extends z.ZodObject>(spec: PromptSpec<Args>): OnMethod<PromptMethod<Args>> {
  return markMethod(PROMPT_SPEC, spec);
}

function markClass(): ClassDecorator {
  return (target) => {
    Reflect.defineMetadata(MCP_CLASS, true, target);
  };
}

export function markMethod(key: string, spec: unknown) {
  return <Method>(_target: object, _key: string | symbol, { value }: TypedPropertyDescriptor<Method>): void => {
    Reflect.defineMetadata(key, spec, value as object); // a decorated method is always a function
  };
}
