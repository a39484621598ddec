<?php
/**
 * The check of the security headers.
 *
 * @package PicketBridge
 */

/**
 * Reads the headers of the home page as a browser gets them, and those of the log-in page, to which WordPress adds its own.
 */
final class Picket_Bridge_Security_Headers_Check extends Picket_Bridge_Check {

	const TWICE         = 'sent twice';
	const HSTS_S_MIN    = 15552000;
	const SAFE_POLICIES = array( 'no-referrer', 'same-origin', 'strict-origin', 'strict-origin-when-cross-origin', 'no-referrer-when-downgrade' );

	/**
	 * Also behind a proxy that ends TLS.
	 */
	const ONLY_WITH_TLS = " \"expr=%{HTTPS} == 'on' || %{HTTP:X-Forwarded-Proto} == 'https'\"";

	/**
	 * What the fix sends for each header.
	 */
	const VALUES = array(
		'Strict-Transport-Security' => 'max-age=15552000',
		'X-Frame-Options'           => 'SAMEORIGIN',
		'Content-Security-Policy'   => "frame-ancestors 'self'; base-uri 'self'; object-src 'none'; upgrade-insecure-requests",
		'Referrer-Policy'           => 'strict-origin-when-cross-origin',
	);

	/**
	 * Returns what is wrong with each header; nothing for those that are right. The control plane has the same function, and
	 * its tests have examples for both.
	 *
	 * @param string[] $headers By name in lower case. A header that was sent twice is joined with a comma.
	 * @return string[]
	 */
	public static function problems( array $headers ): array {
		$value = static function ( string $name ) use ( $headers ): string {
			return strtolower( trim( $headers[ $name ] ?? '' ) );
		};
		$found = array();
		$hsts  = $value( 'strict-transport-security' );
		$frame = $value( 'x-frame-options' );
		$csp   = $value( 'content-security-policy' );
		$parts = array_map( 'trim', explode( ',', $value( 'referrer-policy' ) ) );
		if ( '' === $hsts ) {
			$found['Strict-Transport-Security'] = 'missing';
		} elseif ( false !== strpos( $hsts, ',' ) ) {
			$found['Strict-Transport-Security'] = self::TWICE;
		} elseif ( 1 !== preg_match( '/max-age="?(\d{1,10})/', $hsts, $age ) || (int) $age[1] < self::HSTS_S_MIN ) {
			$found['Strict-Transport-Security'] = 'shorter than 180 days';
		}
		if ( false !== strpos( $frame, ',' ) ) {
			$found['X-Frame-Options'] = self::TWICE;
		} elseif ( ! in_array( $frame, array( 'deny', 'sameorigin' ), true ) && false === strpos( $csp, 'frame-ancestors' ) ) {
			$found['X-Frame-Options'] = '' === $frame ? 'missing' : 'without effect';
		}
		if ( '' === $csp ) {
			$found['Content-Security-Policy'] = '' === $value( 'content-security-policy-report-only' ) ? 'missing' : 'only reported';
		}
		if ( ! in_array( end( $parts ), self::SAFE_POLICIES, true ) ) {
			$found['Referrer-Policy'] = '' === end( $parts ) ? 'missing' : 'not safe';
		}
		return $found;
	}

	/**
	 * Returns what the headers mean.
	 *
	 * @param string[] $headers By name in lower case.
	 * @return array{status: string, evidence: string}
	 */
	public static function judge( array $headers ): array {
		$found = array();
		foreach ( self::problems( $headers ) as $name => $problem ) {
			$found[] = "$name: $problem";
		}
		return array() === $found
			? self::result( 'passing', 'all four headers are sent' )
			: self::result( 'failing', implode( ', ', $found ) );
	}

	/**
	 * Measures it.
	 *
	 * @return array{status: string, evidence: string}
	 */
	public function measure(): array {
		$home = Picket_Bridge_Self_Request::page( home_url( '/' ) );
		if ( is_wp_error( $home ) ) {
			return self::unanswered( 'the home page', $home );
		}
		if ( $home['status'] >= 400 ) {
			return self::result( 'unknown', "the home page answers with HTTP {$home['status']}" );
		}
		$twice = self::twice_on_login();
		return array() === $twice
			? self::judge( $home['headers'] )
			: self::result( 'failing', 'sent twice on the log-in page: ' . implode( ', ', $twice ) );
	}

	/**
	 * Returns the headers that are sent twice on the log-in page.
	 *
	 * @return string[]
	 */
	private static function twice_on_login(): array {
		$login = Picket_Bridge_Self_Request::page( wp_login_url() );
		return is_wp_error( $login ) ? array() : array_keys( self::problems( $login['headers'] ), self::TWICE, true );
	}

	/**
	 * Returns whether the site has HTTPS. Without it, `upgrade-insecure-requests` would break its pages.
	 */
	public function is_pasteable(): bool {
		return 0 === strpos( Picket_Bridge_Connection::home(), 'https://' );
	}

	/**
	 * Returns why the headers cannot be sent.
	 */
	public function obstacle(): string {
		if ( ! $this->is_pasteable() ) {
			return 'The site has no HTTPS, without which Strict-Transport-Security has no effect.';
		}
		return parent::obstacle();
	}

	/**
	 * Returns the directives for the headers that are not sent, or not well enough. Those that the host sends stay as they are.
	 * PHP sends some on certain pages: they are removed first, so that none is sent twice. That is all for one that the host
	 * and PHP send.
	 *
	 * @return Picket_Bridge_Change[]
	 */
	public function changes(): array {
		$lines = static function ( string $present ): array {
			$home  = Picket_Bridge_Self_Request::page( home_url( '/' ) );
			$bad   = is_wp_error( $home ) ? array() : self::problems( $home['headers'] );
			$twice = array_merge( array_keys( $bad, self::TWICE, true ), self::twice_on_login() );
			$lines = array();
			foreach ( self::VALUES as $name => $value ) {
				$is_own = false !== strpos( $present, "Header always set $name " );
				$is_bad = isset( $bad[ $name ] ) && self::TWICE !== $bad[ $name ];
				if ( $is_own || $is_bad || in_array( $name, $twice, true ) || false !== strpos( $present, "Header onsuccess unset $name\n" ) ) {
					$lines[] = "Header onsuccess unset $name";
				}
				if ( $is_own || $is_bad ) {
					$lines[] = "Header always set $name \"$value\"" . ( 'Strict-Transport-Security' === $name ? self::ONLY_WITH_TLS : '' );
				}
			}
			return $lines;
		};
		return array( new Picket_Bridge_Htaccess_Block( 'security-headers', ABSPATH, $lines, true ) );
	}
}
