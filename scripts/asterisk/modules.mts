/**
 * The modules that Asterisk loads, each after its dependencies, because Asterisk resolves dependencies only with autoload. Every module is marked as required,
 * so that a missing one prevents the start instead of causing an error in a call.
 */
export const modules: readonly string[] = [
  'res_sorcery_config',
  'res_sorcery_memory',
  'res_sorcery_astdb',
  'res_timing_timerfd',
  'res_http_websocket',
  'res_websocket_client',
  // SIP and RTP.
  'res_pjproject',
  'res_pjsip',
  'res_pjsip_session',
  'res_pjsip_authenticator_digest',
  'res_pjsip_pubsub',
  'chan_pjsip',
  'res_pjsip_endpoint_identifier_ip',
  'res_pjsip_sdp_rtp',
  'res_pjsip_caller_id',
  'res_pjsip_dtmf_info',
  'res_pjsip_rfc3326',
  'res_rtp_asterisk',
  // Codecs. chan_websocket itself transports raw audio.
  'codec_ulaw',
  'codec_g722',
  'codec_resample',
  'chan_websocket',
  // The dialplan.
  'bridge_simple',
  'pbx_config',
  'app_dial',
  'func_channel',
  'func_logic',
  // ARI: outgoing calls and DTMF.
  'res_stasis',
  'res_stasis_answer',
  'res_stasis_playback',
  'res_stasis_recording',
  'res_stasis_snoop',
  'res_ari_model',
  'res_ari',
  'res_ari_asterisk',
  'res_ari_bridges',
  'res_ari_channels',
  'res_ari_events',
  'app_stasis',
];
