<?php
// Prints what the plugin computes of the examples in vectors.json, as JSON.

$plugin = dirname( __DIR__, 3 ) . '/wp-plugin-bridge/includes/';
require $plugin . 'class-picket-bridge-signature.php';
require $plugin . 'class-picket-bridge-xmlrpc-check.php';

$vectors = json_decode( file_get_contents( __DIR__ . '/vectors.json' ), true );
$secret  = $vectors['secret'];
$found   = array();
foreach ( $vectors['requests'] as $one ) {
	$found[] = Picket_Bridge_Signature::of_request( $secret, $one['method'], $one['path'], $one['timestamp'], $one['nonce'], $one['siteId'], $one['body'] );
}
foreach ( $vectors['answers'] as $one ) {
	$found[] = Picket_Bridge_Signature::of_answer( $secret, $one['nonce'], $one['payload'] );
}
foreach ( $vectors['nudges'] as $one ) {
	$found[] = Picket_Bridge_Signature::of_nudge( $secret, $one['siteId'], (string) $one['timeMs'], $one['nonce'] );
	$found[] = Picket_Bridge_Signature::of_nudged( $secret, $one['siteId'], $one['nonce'] );
}
foreach ( $vectors['xmlrpc'] as $one ) {
	$found[] = Picket_Bridge_Xmlrpc_Check::judge( $one['status'], $one['body'] );
}
echo json_encode( $found );
