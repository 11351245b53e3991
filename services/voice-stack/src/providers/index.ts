import anthropic from './anthropic.json';
import assemblyai from './assemblyai.json';
import azure from './azure.json';
import cartesia from './cartesia.json';
import deepgram from './deepgram.json';
import elevenlabs from './elevenlabs.json';
import bedrock from './bedrock.json';
import google from './google.json';
import groq from './groq.json';
import { inventory as ofCartesia } from './inventories/cartesia';
import { inventory as ofElevenLabs } from './inventories/elevenlabs';
import { inventory as ofOpenAiCompatible } from './inventories/openai-compatible';
import type { InventoryProtocol } from './inventories/protocol';
import mistral from './mistral.json';
import ollama from './ollama.json';
import openai from './openai.json';
import openaiCompatible from './openai_compatible.json';
import openrouter from './openrouter.json';
import simulator from './simulator.json';
import vllm from './vllm.json';

/**
 * The data of each vendor, in the order of the catalogue (docs/reference/voice-stack.md describes the form). Prices are pay-as-you-go list prices; `estimated`
 * names the figures that the vendor does not state. If a list lacks a language, publishing with it is blocked; if it has one too many, calls fail.
 */
export const vendorFiles = [
  simulator,
  deepgram,
  assemblyai,
  openai,
  openaiCompatible,
  elevenlabs,
  cartesia,
  anthropic,
  azure,
  google,
  groq,
  mistral,
  openrouter,
  bedrock,
  vllm,
  ollama,
] as const;

/** How to read the voices of an account, for the vendors that list them. */
export const inventoryProtocols: Readonly<Record<string, InventoryProtocol>> = {
  cartesia: ofCartesia,
  elevenlabs: ofElevenLabs,
  openai_compatible: ofOpenAiCompatible,
};

export type { InventoryProtocol, ListedVoice } from './inventories/protocol';
