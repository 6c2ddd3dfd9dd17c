import { Injectable } from '@nestjs/common';
import type { PlanId, ReceiptFile, ReceiptId, SessionId } from '#contracts';
import { McpTool, McpTools, type ToolCall } from '#mcp';
import { AppError } from '#platform';
import * as z from 'zod';
import { Receipts, type ReceiptRef } from '../receipts.js';

const ReceiptInput = z.object({
  receipt_id: z.uuid().optional().describe('The receipt itself.'),
  session_id: z.uuid().optional().describe('With plan_id: the receipt of that plan.'),
  plan_id: z.uuid().optional(),
});

const part = z.record(z.string(), z.unknown());
/** A receipt file as a finished run answers with it. */
export const receiptFileOutput = z.object({
  receipt: part.nullable().describe('The 1.0 receipt with its HMAC; null when nothing was run.'),
  evidence: part.describe('Plan digest, pins, approvals, policy, sandbox, limits, usage, output digests.'),
  proof: part.describe('DSSE envelope, ledger index, inclusion proof and signed checkpoint; can be verified offline.'),
});

/** MCP door of receipts. */
@Injectable()
@McpTools()
export class ReceiptTools {
  constructor(private readonly receipts: Receipts) {}

  @McpTool({
    name: 'terminal_receipt',
    title: 'Read a signed receipt',
    description: 'The signed receipt of a run or a decision, by receipt_id, or by session_id and plan_id.',
    effect: 'read',
    scope: 'receipts:read',
    input: ReceiptInput,
    output: receiptFileOutput,
    links: ({ evidence }) => [{ uri: `receipt://${String(evidence['id'])}`, name: 'receipt', mimeType: 'application/json' }],
  })
  async receipt(input: z.output<typeof ReceiptInput>, { principal }: ToolCall): Promise<z.input<typeof receiptFileOutput>> {
    return toOutput(await this.receipts.read(principal, toRef(input)));
  }
}

function toRef({ receipt_id, session_id, plan_id }: z.output<typeof ReceiptInput>): ReceiptRef {
  if (receipt_id !== undefined) return { receiptId: receipt_id as ReceiptId };
  if (session_id !== undefined && plan_id !== undefined) return { sessionId: session_id as SessionId, planId: plan_id as PlanId };
  throw new AppError('INPUT_INVALID', 'Give receipt_id, or session_id and plan_id');
}

function toOutput({ receipt, evidence, proof }: ReceiptFile): z.input<typeof receiptFileOutput> {
  return { receipt: receipt && { ...receipt }, evidence: { ...evidence }, proof: { ...proof } };
}
